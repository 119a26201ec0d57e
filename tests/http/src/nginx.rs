//! nginx on a free port of the loopback interface, with a configuration, a folder and logs of its own.
//!
//! | place | what it sends |
//! |---|---|
//! | `/chunked/` | the file packed as it is sent, in chunks |
//! | `/packed/` | the file that was packed before, with its length |
//! | `/plain/` | the file as it is, with its length |
//! | `/open/` | the file packed as it is sent, neither in chunks nor with its length |
//!
//! It does so on a second port with TLS, under a certificate that nobody vouches for.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::bodies::gzip;
use crate::hostile::PATIENCE;

/// A server that is stopped at the end of the test.
#[derive(Debug)]
pub struct Nginx {
    child: Child,
    address: SocketAddr,
    secure: SocketAddr,
    folder: TempDir,
}

/// A line of its log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Logged {
    pub path: String,
    pub status: String,
    /// Whether the whole response was taken.
    pub completed: bool,
    /// Bytes of the body that were handed to the connection.
    pub sent: u64,
    /// The number of the connection, and of the request on it, from 1.
    pub connection: u64,
    pub request: u64,
}

impl Nginx {
    /// Starts it with these files, by name.
    ///
    /// `None` where there is no nginx, which is said on standard error.
    ///
    /// # Panics
    /// Where there is none and the environment says `CI=true`, or where it does not start.
    pub fn start(files: &[(&str, &[u8])]) -> Option<Self> {
        let Some(program) = find() else {
            assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "nginx is not installed");
            eprintln!("SKIPPED: nginx is not installed, and what is tested against it is not tested");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let www = folder.path().join("www");
        fs::create_dir(&www).unwrap();
        for (name, content) in files {
            fs::write(www.join(name), content).unwrap();
            fs::write(www.join(format!("{name}.gz")), gzip(content)).unwrap();
        }
        let certificate = rcgen::generate_simple_self_signed([Ipv4Addr::LOCALHOST.to_string()]).unwrap();
        fs::write(folder.path().join("cert.pem"), certificate.cert.pem()).unwrap();
        fs::write(folder.path().join("key.pem"), certificate.signing_key.serialize_pem()).unwrap();
        // The ports are free until somebody else takes one in between.
        let (child, [address, secure]) =
            (0..5).find_map(|_| Self::launch(&program, &folder)).expect("nginx does not start");
        Some(Self { child, address, secure, folder })
    }

    fn launch(program: &str, folder: &TempDir) -> Option<(Child, [SocketAddr; 2])> {
        let listeners = [(); 2].map(|()| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap());
        let addresses = listeners.map(|listener| listener.local_addr().unwrap());
        let configuration = folder.path().join("nginx.conf");
        fs::write(&configuration, configure(addresses)).unwrap();
        let mut child = Command::new(program)
            .arg("-p")
            .arg(folder.path())
            .arg("-c")
            .arg(&configuration)
            .args(["-e", "error.log"])
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            if child.try_wait().unwrap().is_some() {
                return None;
            }
            if TcpStream::connect(addresses[0]).is_ok() {
                return Some((child, addresses));
            }
            thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        None
    }

    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address with TLS.
    pub const fn secure(&self) -> SocketAddr {
        self.secure
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The file with its certificate.
    pub fn certificate(&self) -> PathBuf {
        self.folder.path().join("cert.pem")
    }

    /// The lines of the log, once there are so many of them. It is written at the end of each request.
    ///
    /// # Panics
    /// Where there are not.
    pub fn log(&self, lines: usize) -> Vec<Logged> {
        let log: PathBuf = self.folder.path().join("access.log");
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            let text = fs::read_to_string(&log).unwrap_or_default();
            if text.lines().count() >= lines {
                return text.lines().map(Logged::parse).collect();
            }
            thread::sleep(Duration::from_millis(5));
        }
        panic!("the log has fewer than {lines} lines: {}", fs::read_to_string(&log).unwrap_or_default());
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Logged {
    fn parse(line: &str) -> Self {
        let fields: Vec<_> = line.split(' ').collect();
        let [path, status, completed, sent, connection, request] = fields[..] else { panic!("{line}") };
        Self {
            path: path.to_owned(),
            status: status.to_owned(),
            completed: completed == "[OK]",
            sent: sent.parse().unwrap(),
            connection: connection.parse().unwrap(),
            request: request.parse().unwrap(),
        }
    }
}

fn find() -> Option<String> {
    let runs = |program: &&str| {
        let version = Command::new(program).arg("-v").stderr(Stdio::null()).stdout(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    };
    ["nginx", "/usr/sbin/nginx"].into_iter().find(runs).map(str::to_owned)
}

/// One process, which is the child itself, so that nothing is left where it is stopped. Its buffers for sending are
/// small, so that what a client does not take is not counted as sent.
fn configure([address, secure]: [SocketAddr; 2]) -> String {
    format!(
        r#"daemon off;
master_process off;
pid nginx.pid;
error_log error.log info;
events {{ worker_connections 64; }}
http {{
    types {{ application/json json; application/x-ndjson ndjson; text/plain txt; }}
    default_type application/octet-stream;
    log_format peers '$uri $status [$request_completion] $body_bytes_sent $connection $connection_requests';
    access_log access.log peers;
    client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi; scgi_temp_path scgi;
    keepalive_timeout 20s;
    lingering_close off;
    server {{
        listen {address} sndbuf=64k;
        listen {secure} ssl sndbuf=64k;
        ssl_certificate cert.pem;
        ssl_certificate_key key.pem;
        location /chunked/ {{ alias www/; gzip on; gzip_types *; gzip_min_length 0; }}
        location /packed/ {{ alias www/; gzip_static always; }}
        location /open/ {{
            alias www/; gzip on; gzip_types *; gzip_min_length 0; chunked_transfer_encoding off;
        }}
        location /plain/ {{ alias www/; }}
    }}
}}
"#
    )
}
