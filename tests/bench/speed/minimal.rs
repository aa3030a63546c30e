//! A minimal store, which accepts every request so fast that only the sender is measured.

use std::convert::Infallible;
use std::net::Ipv4Addr;

use hyper::body::{Body as _, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

/// The argument that starts the store.
pub(crate) const WORD: &str = "--serve-minimal";

/// The body of every response.
const BODY: &str = r#"{"name":"Monstera","tag":"tropical"}"#;

/// Serves until it is killed. Prints its base URL like `plants serve --json`.
pub(crate) fn serve() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        println!(r#"{{"base_url":"http://{}"}}"#, listener.local_addr().unwrap());
        let mut connections = tokio::task::JoinSet::new();
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let _ = stream.set_nodelay(true);
            connections.spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service_fn(response)));
            while connections.try_join_next().is_some() {}
        }
    });
}

async fn response(request: Request<Incoming>) -> Result<Response<String>, Infallible> {
    let mut body = request.into_body();
    while std::future::poll_fn(|context| std::pin::Pin::new(&mut body).poll_frame(context)).await.is_some() {}
    let mut response = Response::new(BODY.to_owned());
    *response.status_mut() = StatusCode::CREATED;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(response)
}
