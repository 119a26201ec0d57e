//! The HTTP client: ureq with its decompression off, that follows few redirects, and whose connections say of
//! each end whether it was one.
//!
//! ureq takes a reset, and a TLS connection that is cut without a close alert, for the end of a body that has neither a
//! length nor chunks. Either can be a body cut short by somebody in between, so here it is an error.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ureq::http::header::LOCATION;
use ureq::http::{HeaderMap, StatusCode};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::{
    Buffers, ConnectionDetails, Connector, DefaultConnector, NextTimeout, Transport,
};
use ureq::{Agent, BodyReader, Error};
use url::Url;

use crate::feed::TICK;

/// Redirects that are followed.
const REDIRECTS: usize = 5;

/// The most bytes of a response's status line and fields.
const HEAD: usize = 32 * 1024;

/// A client for one request.
pub(crate) struct Client {
    agent: Agent,
    until: Option<Instant>,
    in_body: Arc<AtomicBool>,
}

/// A response, as far as its head.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) fields: HeaderMap,
    pub(crate) body: Connected,
}

/// Why there is no response.
pub(crate) enum Failed {
    /// The deadline has passed.
    Late,
    /// The peer was reached, and what it sent is no response that is taken.
    Peer(String),
    /// The peer was not reached, or a redirect is not followed.
    Unreached(String),
}

impl Answer {
    /// Whether a response of its status has a body (RFC 9110, section 6.4.1).
    pub(crate) fn has_body(&self) -> bool {
        !matches!(self.status, StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED)
    }
}

impl Client {
    /// A client that gives up `deadline` from now, and trusts these authorities.
    pub(crate) fn new(deadline: Duration, roots: RootCerts) -> Self {
        let config = Agent::config_builder()
            .tls_config(TlsConfig::builder().root_certs(roots).build())
            .accept_encoding("gzip")
            .user_agent(concat!("plimsoll/", env!("CARGO_PKG_VERSION")))
            .http_status_as_error(false)
            // ureq reads the body of a redirect that it follows to its end, whatever its length.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_response_header_size(HEAD)
            .build();
        let in_body = Arc::new(AtomicBool::new(false));
        let connector =
            ().chain(DefaultConnector::default()).chain(StrictConnector { in_body: Arc::clone(&in_body) });
        let agent = Agent::with_parts(config, connector, DefaultResolver::default());
        Self { agent, until: Instant::now().checked_add(deadline), in_body }
    }

    /// Sends a GET, and follows redirects: to the same host, or from http to https on it, and with `any_host` to
    /// others, but never from https to http. The connection of a redirect is closed, whatever follows its head.
    pub(crate) fn get(&self, url: &Url, any_host: bool) -> Result<Answer, Failed> {
        let mut url = url.clone();
        for _ in 0..=REDIRECTS {
            url.set_fragment(None);
            let left = self.until.map(|until| until.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return Err(Failed::Late);
            }
            let request = self.agent.get(url.as_str()).config().timeout_global(left).build();
            let response = request.call().map_err(Failed::from)?;
            let (head, body) = response.into_parts();
            let location = head.headers.get(LOCATION).filter(|_| is_redirect(head.status));
            let Some(location) = location else {
                self.in_body.store(true, Ordering::Relaxed);
                let body = Connected(Some(body.into_reader()));
                return Ok(Answer { status: head.status, fields: head.headers, body });
            };
            url = next(&url, location.as_bytes(), any_host)?;
        }
        Err(Failed::Unreached(format!("more than {REDIRECTS} redirects")))
    }
}

/// The statuses that name another place for the same GET (RFC 9110, section 15.4).
fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// Where a redirect leads, if it may be followed.
fn next(from: &Url, location: &[u8], any_host: bool) -> Result<Url, Failed> {
    let location = String::from_utf8_lossy(location);
    let to = from.join(&location).map_err(|error| Failed::Peer(format!("redirect to nowhere: {error}")))?;
    let upgrade = (from.scheme(), to.scheme()) == ("http", "https");
    let same_host = from.host() == to.host();
    let same_port = from.port_or_known_default() == to.port_or_known_default()
        || (upgrade && from.port().is_none() && to.port().is_none());
    if !(upgrade || from.scheme() == to.scheme()) {
        return Err(Failed::Unreached(format!("redirect from {} to {}", from.scheme(), to.scheme())));
    }
    if !(any_host || (same_host && same_port)) {
        let host = to.host_str().unwrap_or_default();
        let port = to.port().map_or(String::new(), |port| format!(":{port}"));
        return Err(Failed::Unreached(format!("redirect to another host, {host}{port}: see --follow-hosts")));
    }
    Ok(to)
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        match error {
            Error::Timeout(_) => Self::Late,
            Error::Protocol(_) | Error::Http(_) | Error::LargeResponseHeader(..) => {
                Self::Peer(error.to_string())
            }
            Error::Io(io)
                if io.kind() == io::ErrorKind::UnexpectedEof
                    || io.get_ref().is_some_and(|inner| inner.is::<CutShort>()) =>
            {
                Self::Peer(io.to_string())
            }
            other => Self::Unreached(other.to_string()),
        }
    }
}

/// A body that is being received.
pub(crate) struct Connected(Option<BodyReader<'static>>);

impl Connected {
    /// None at all.
    pub(crate) const fn none() -> Self {
        Self(None)
    }

    /// Closes the connection, with what has not been read.
    pub(crate) fn close(&mut self) {
        self.0 = None;
    }
}

impl Read for Connected {
    /// Silence is an interruption: nothing is lost, and the time is looked at.
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let Some(reader) = &mut self.0 else { return Ok(0) };
        reader.read(buf).map_err(|error| {
            let cause = error.get_ref().and_then(|inner| inner.downcast_ref::<Error>());
            if matches!(cause, Some(Error::Timeout(_))) { io::ErrorKind::Interrupted.into() } else { error }
        })
    }
}

/// The connection ended where nothing says that what it carried has ended.
#[derive(Debug)]
struct CutShort(io::Error);

impl std::fmt::Display for CutShort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the connection was cut: {}", self.0)
    }
}

impl std::error::Error for CutShort {}

/// Makes connections strict.
#[derive(Debug)]
struct StrictConnector {
    in_body: Arc<AtomicBool>,
}

impl<In: Transport> Connector<In> for StrictConnector {
    type Out = Strict<In>;

    fn connect(&self, _: &ConnectionDetails<'_>, chained: Option<In>) -> Result<Option<Strict<In>>, Error> {
        Ok(chained.map(|inner| Strict { inner, in_body: Arc::clone(&self.in_body) }))
    }
}

/// A connection whose errors are never taken for an end, and which waits out no long silence in a body.
#[derive(Debug)]
struct Strict<T> {
    inner: T,
    in_body: Arc<AtomicBool>,
}

impl<T: Transport> Transport for Strict<T> {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.inner.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        self.inner.transmit_output(amount, timeout)
    }

    fn await_input(&mut self, mut timeout: NextTimeout) -> Result<bool, Error> {
        if self.in_body.load(Ordering::Relaxed) {
            timeout.after = timeout.after.min(TICK.into());
        }
        self.inner.await_input(timeout).map_err(|error| match error {
            // A kind of its own, so that ureq hands it on as an error.
            Error::Io(error) => Error::Io(io::Error::other(CutShort(error))),
            other => other,
        })
    }

    fn is_open(&mut self) -> bool {
        self.inner.is_open()
    }

    fn is_tls(&self) -> bool {
        self.inner.is_tls()
    }
}
