//! The servers of a team: connecting to them, and the stream of a store there.

use std::time::Duration;

use async_nats::jetstream::context::{
    CreateStreamError, CreateStreamErrorKind, GetStreamErrorKind, RequestError, RequestErrorKind,
};
use async_nats::jetstream::stream::{Config, DiscardPolicy, Stream};
use async_nats::jetstream::{self, Context, ErrorCode};
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr};
use tokio::sync::watch;
use tokio::time::sleep;
use url::Url;

use super::status::{Cause, Notices};
use super::subject;
use crate::client::tls_sentence;
use crate::config::{Patience, TeamAccess, TeamSettings, TokenSource};
use crate::journal::{Journal, JournalError};
use crate::text::clean_fit;

/// The pause after a failure: doubles from the first to the second.
pub(super) const RETRY: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// The time limit of a connection, and of a response of the server.
const LIMIT: Duration = Duration::from_secs(5);

/// The bytes of a message beside its entries, at most.
const BESIDE: usize = 1024;

/// The copies that a cluster keeps of each entry, unless a person wants another number. A server alone keeps one.
const COPIES: usize = 3;

/// How often a cluster that has just started is asked for the stream, and the pause before each time but the first.
const TRIES: u32 = 50;
const AGAIN: Duration = Duration::from_millis(100);

/// A stream that follows a lost one starts so many messages after the last that was read here: others may have read more.
const FURTHER: u64 = 1 << 20;

/// The description of such a stream, before the number that its messages are counted from.
const CONTINUES: &str = "plants, continued after message ";

/// Columns shown of an error of the server.
pub(super) const SHOWN: usize = 200;

/// The keys of the config file that authenticate a member.
const KEYS: &str = "team_user, team_nkey, team_credentials or team_token_command";

/// Why the team cannot be reached or joined. Says what to do.
#[derive(Debug, thiserror::Error)]
pub enum NoTeam {
    #[error("the team's servers cannot be reached: {0}; check their URLs and the network")]
    Unreachable(String),
    #[error("{key} cannot be used: {why}")]
    Secret { key: &'static str, why: String },
    #[error("the team's servers do not let this member in: {why}; check {key}")]
    Access { key: &'static str, why: String },
    #[error("this journal is not in the team yet: plants team join")]
    NotJoined,
    #[error("the team has no stream for this store yet: plants team join creates it")]
    NoStream,
    #[error("the team has another stream than the one this journal joined: plants team join joins it")]
    OtherStream,
    #[error("another program has made {0} the author of this journal: give both the same, and start plants again")]
    OtherAuthor(String),
    #[error("the connection to the team's server was lost")]
    Lost,
    #[error("the team's server has no JetStream: it needs --jetstream, or a jetstream block in its configuration")]
    NoJetStream,
    #[error(
        "the server does not give the team's stream: {0}; its user needs the rights for this author that docs/team.md lists"
    )]
    Stream(String),
    #[error("the server's user may not compact the team's stream: {0}; the keeper may, as docs/team.md says")]
    NotKeeper(String),
    #[error("the team's stream takes no snapshot: {0}; if it is full, raise its server's limits until it is compacted")]
    NoSnapshot(String),
    #[error(
        "the cluster has no leader, or too few servers for the team's stream: {0}; start more servers, or join with fewer --replicas"
    )]
    NotReady(String),
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl NoTeam {
    pub(super) fn cause(&self) -> Cause {
        match self {
            Self::Unreachable(_) | Self::Lost | Self::NotReady(_) => Cause::NotReached,
            Self::NotJoined | Self::NoStream | Self::OtherStream => Cause::NotJoined,
            Self::Secret { .. }
            | Self::Access { .. }
            | Self::OtherAuthor(_)
            | Self::NoJetStream
            | Self::Stream(_)
            | Self::NotKeeper(_)
            | Self::NoSnapshot(_)
            | Self::Journal(_) => Cause::NotAllowed,
        }
    }
}

/// Returns an error's text in one harmless line.
pub(super) fn shown(error: &(dyn std::error::Error + 'static)) -> String {
    if let Some(sentence) = tls_sentence(error, "the server") {
        return clean_fit(&sentence, SHOWN);
    }
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    clean_fit(&text, SHOWN)
}

/// A connection to a server, which its client renews by itself.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) client: Client,
    pub(super) said: watch::Receiver<Said>,
}

/// What is known of a connection beside the responses.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// What the server said last against a request: one without a right gets no response.
    pub(super) refusal: Option<String>,
    pub(super) is_connected: bool,
    /// How often the connection was lost.
    pub(super) losses: u64,
}

impl Connection {
    /// Does work with the server, unless that says something against it.
    pub(super) async fn unless_refused<T>(
        &self,
        refusal: fn(String) -> NoTeam,
        work: impl Future<Output = Result<T, NoTeam>>,
    ) -> Result<T, NoTeam> {
        tokio::select! {
            done = work => done,
            why = refused(self.said.clone(), |_| true) => Err(refusal(why)),
        }
    }
}

/// Waits until the server has said something against a request that matters.
pub(super) async fn refused(mut said: watch::Receiver<Said>, matters: impl Fn(&str) -> bool) -> String {
    let refused = said.wait_for(|said| said.refusal.as_deref().is_some_and(&matters)).await;
    match refused.map(|said| said.refusal.clone().unwrap_or_default()) {
        Ok(why) => why,
        Err(_) => std::future::pending().await,
    }
}

impl TeamSettings {
    /// Connects to one of the servers.
    pub(super) async fn connect(&self) -> Result<Connection, NoTeam> {
        let key = self.access.as_ref().map_or(KEYS, TeamAccess::key);
        let options = self.authenticated().await.map_err(|why| NoTeam::Secret { key, why })?;
        let servers: Vec<_> = self.servers.iter().filter_map(|url| ServerAddr::from_url(url.clone()).ok()).collect();
        let mut options = options
            .name("plants")
            .custom_inbox_prefix(subject::inbox(&self.author))
            .connection_timeout(LIMIT)
            .request_timeout(Some(LIMIT))
            .require_tls(self.needs_tls())
            // One that a server announces is not named by a person, and would get the token.
            .ignore_discovered_servers();
        if let Some(path) = &self.ca_cert {
            options = options.add_root_certificates(path.clone());
        }
        let (says, said) = watch::channel(Said::default());
        options = options.event_callback(move |event| {
            says.send_modify(|said| {
                let is_lost = event == Event::Disconnected;
                said.is_connected = event == Event::Connected || (said.is_connected && !is_lost);
                said.losses += u64::from(is_lost);
                if let Event::ServerError(error) = &event {
                    said.refusal = Some(shown(error));
                }
            });
            async {}
        });
        let client = options.connect(servers).await.map_err(|error| {
            use ConnectErrorKind::{Authentication, AuthorizationViolation};
            let why = shown(&error);
            let is_unknown = matches!(error.kind(), Authentication | AuthorizationViolation);
            if is_unknown { NoTeam::Access { key, why } } else { NoTeam::Unreachable(why) }
        })?;
        Ok(Connection { client, said })
    }

    /// Returns the options of a connection with the secret of this member.
    async fn authenticated(&self) -> Result<ConnectOptions, String> {
        let secret = async |source: &TokenSource, what| {
            let fetched = source.fetch_line(what, &mut Patience::default()).await;
            fetched.map(|secret| secret.to_string()).map_err(|error| error.to_string())
        };
        Ok(match &self.access {
            None => ConnectOptions::new(),
            Some(TeamAccess::Credentials(path)) => {
                ConnectOptions::with_credentials_file(path).await.map_err(|error| shown(&error))?
            }
            Some(TeamAccess::Token(source)) => ConnectOptions::with_token(secret(source, "token").await?),
            Some(TeamAccess::Password { user, source }) => {
                ConnectOptions::with_user_and_password(user.clone(), secret(source, "password").await?)
            }
            Some(TeamAccess::Nkey(source)) => ConnectOptions::with_nkey(secret(source, "seed").await?),
        })
    }

    /// Whether every server needs TLS, because one of them does: all get the same secret.
    fn needs_tls(&self) -> bool {
        let needs_it = |server: &Url| {
            server.scheme() == "tls" || (!self.allow_plain && !server.host_str().is_some_and(is_loopback))
        };
        self.servers.iter().any(needs_it)
    }
}

fn is_loopback(host: &str) -> bool {
    let host = host.trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

pub(super) fn context(client: &Client) -> Context {
    let mut context = jetstream::new(client.clone());
    context.set_timeout(LIMIT);
    context
}

/// Returns the stream of a store.
pub(super) async fn stream(context: &Context, store: &str) -> Result<Stream, NoTeam> {
    context.get_stream(subject::stream(store)).await.map_err(|error| {
        let cause = std::error::Error::source(&error).and_then(|cause| cause.downcast_ref::<RequestError>());
        if cause.is_some_and(|cause| cause.kind() == RequestErrorKind::NoResponders) {
            return NoTeam::NoJetStream;
        }
        let code =
            if let GetStreamErrorKind::JetStream(inner) = error.kind() { Some(inner.error_code()) } else { None };
        no_stream(code, shown(&error))
    })
}

/// Returns the stream of a store, which is created if it is missing; it then starts after what this journal has read of an
/// earlier one.
async fn stream_or_new(
    context: &Context,
    store: &str,
    copies: Option<usize>,
    read: Option<u64>,
) -> Result<Stream, NoTeam> {
    match stream(context, store).await {
        Err(NoTeam::NoStream) => {}
        found => return found,
    }
    let with = |num_replicas| Config {
        name: subject::stream(store),
        subjects: vec![subject::of(store, subject::ALL)],
        discard: DiscardPolicy::New,
        num_replicas,
        description: read.map(|read| format!("{CONTINUES}{}", read + FURTHER)),
        ..Config::default()
    };
    let code_of = |error: &CreateStreamError| {
        if let CreateStreamErrorKind::JetStream(inner) = error.kind() { Some(inner.error_code()) } else { None }
    };
    let mut created = context.create_stream(with(copies.unwrap_or(COPIES))).await;
    let is_alone = |error| code_of(error) == Some(ErrorCode::STREAM_REPLICAS_NOT_SUPPORTED);
    if copies.is_none() && created.as_ref().is_err_and(is_alone) {
        created = context.create_stream(with(1)).await;
    }
    created.map_err(|error| no_stream(code_of(&error), shown(&error)))
}

/// Returns what a server's error code about a stream means.
fn no_stream(code: Option<ErrorCode>, why: String) -> NoTeam {
    match code {
        Some(ErrorCode::STREAM_NOT_FOUND) => NoTeam::NoStream,
        Some(ErrorCode::JETSTREAM_NOT_ENABLED | ErrorCode::JETSTREAM_NOT_ENABLED_FOR_ACCOUNT) => NoTeam::NoJetStream,
        // A cluster that has just started responds so, until it has a leader that knows every server.
        Some(ErrorCode::CLUSTER_NOT_AVAILABLE | ErrorCode::CLUSTER_NO_PEERS | ErrorCode::INSUFFICIENT_RESOURCES) => {
            NoTeam::NotReady(why)
        }
        Some(_) | None => NoTeam::Stream(why),
    }
}

/// Returns the bytes of the largest message that a stream takes from a client.
pub(super) fn largest(client: &Client, stream: &Stream) -> usize {
    // A negative number is none.
    let of_stream = usize::try_from(stream.cached_info().config.max_message_size).unwrap_or(usize::MAX);
    client.server_info().max_payload.min(of_stream).saturating_sub(BESIDE).max(BESIDE)
}

/// Returns what tells this stream from a later one of the same name.
pub(super) fn identity(stream: &Stream) -> String {
    stream.cached_info().created.to_string()
}

/// Returns the number of messages before the first of this stream, in earlier ones: the journal counts them on.
pub(super) fn earlier(stream: &Stream) -> u64 {
    let description = stream.cached_info().config.description.as_deref().unwrap_or_default();
    description.strip_prefix(CONTINUES).and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// What a journal finds when it has joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Joined {
    /// The number of entries that are to be published.
    pub to_publish: usize,
    /// The number of servers that keep each entry.
    pub copies: usize,
}

/// Creates the stream if it is missing, with this many copies of each entry or those that suit the servers, and makes the
/// journal a member of the team.
///
/// # Errors
///
/// The team cannot be reached, or its server does not allow it; the journal has not changed.
pub async fn join(team: &TeamSettings, journal: &Journal, copies: Option<usize>) -> Result<Joined, NoTeam> {
    let connection = team.connect().await?;
    let context = context(&connection.client);
    let before = journal.membership().await?;
    let read = before.as_ref().map(|membership| membership.folded);
    let mut left = TRIES;
    let stream = loop {
        left -= 1;
        match connection.unless_refused(NoTeam::Stream, stream_or_new(&context, &team.store, copies, read)).await {
            Err(NoTeam::NotReady(_)) if left > 0 => sleep(AGAIN).await,
            found => break found?,
        }
    };
    let before = before.filter(|membership| membership.stream == identity(&stream));
    let first = stream.cached_info().state.first_sequence + earlier(&stream);
    let removed = before.map_or(0, |membership| membership.folded.min(first.saturating_sub(1)));
    let to_publish = read_again(team, journal, &stream, removed).await?;
    Ok(Joined { to_publish, copies: stream.cached_info().config.num_replicas })
}

/// Makes the journal a member of the team that reads the stream from its start, but for what was removed up to this message,
/// and publishes all its entries; returns their number.
pub(super) async fn read_again(
    team: &TeamSettings,
    journal: &Journal,
    stream: &Stream,
    removed: u64,
) -> Result<usize, NoTeam> {
    let notices = Notices::kept(journal.noted_missing().await?).again(removed);
    journal.join_team(team.author.clone(), identity(stream), earlier(stream) + 1).await?;
    let Some(membership) = journal.membership().await? else { return Ok(0) };
    journal.note_missing(membership.member, notices.to_keep()).await?;
    Ok(membership.to_publish)
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
    use tokio::net::TcpListener;

    use super::*;

    fn team(servers: &[&str]) -> TeamSettings {
        TeamSettings {
            servers: servers.iter().map(|server| server.parse().unwrap()).collect(),
            access: None,
            ca_cert: None,
            allow_plain: false,
            store: "staging".to_owned(),
            author: "ann".parse().unwrap(),
            bodies: true,
            keep: Duration::ZERO,
        }
    }

    #[test]
    fn all_servers_need_tls_if_one_does() {
        for (servers, needed, where_plain) in [
            (&["nats://127.0.0.1", "nats://[::1]:4223", "nats://localhost"][..], false, false),
            (&["nats://127.0.0.1", "nats://nats.example"], true, false),
            (&["tls://nats.example", "nats://127.0.0.1"], true, true),
        ] {
            let plain = TeamSettings { allow_plain: true, ..team(servers) };
            assert_eq!((team(servers).needs_tls(), plain.needs_tls()), (needed, where_plain), "{servers:?}");
        }
    }

    #[tokio::test]
    async fn a_server_that_another_one_announces_gets_no_connection() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let named = listener.local_addr().unwrap();
        let team = team(&[&format!("nats://{named}")]);
        let server = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            let about = r#"{"server_id":"1","version":"2.9.0","proto":1,"host":"127.0.0.1","port":1,"headers":true,
                "max_payload":1024,"jetstream":true,"connect_urls":["127.0.0.1:1","nats.elsewhere.example:4222"]}"#;
            stream.write_all(format!("INFO {}\r\n", about.replace('\n', "")).as_bytes()).await.unwrap();
            let mut lines = BufReader::new(stream).lines();
            while lines.next_line().await.unwrap().is_some_and(|line| line != "PING") {}
            lines.get_mut().write_all(b"PONG\r\n").await.unwrap();
            lines
        };
        let (client, _open) = tokio::join!(team.connect(), server);
        let known = client.unwrap().client.server_pool().await.unwrap();
        assert_eq!(known.iter().map(|server| server.addr.port()).collect::<Vec<_>>(), [named.port()]);
    }
}
