//! An executor that polls, and says when there is nothing to wait for.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Polls at most `times` times.
pub fn poll<F: Future>(future: F, times: usize) -> Option<F::Output> {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    (0..times).find_map(|_| match future.as_mut().poll(&mut context) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    })
}

/// Polls until the future is ready; a test whose future never is fails.
///
/// # Panics
/// After ten million polls.
pub fn run<F: Future>(future: F) -> F::Output {
    match poll(future, 10_000_000) {
        Some(output) => output,
        None => panic!("the future waits for something that never comes"),
    }
}
