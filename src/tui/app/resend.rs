//! Edit and resend: the form with which a person changes a request of the history and sends it as another one.

use crate::domain::{Credentials, Exchange, MediaType, OperationKind, PlantId, Probe};
use crate::tui::component::Reason;
use crate::tui::session::draft::{Blame, Draft};
use crate::tui::ui_effect::Open;

/// Returns why no form can hold what a request sent. Only the check sends such requests.
pub(super) fn unavailable(exchange: &Exchange) -> Option<Reason> {
    let probe = exchange.operation.probe.as_ref()?;
    match exchange.operation.kind {
        OperationKind::Add(_) if probe.body.is_some() => Some("the check sent a body that no plant has"),
        OperationKind::Delete(_) if probe.path_id.is_some() && path_id(probe).is_none() => {
            Some("the check sent an id that no plant has")
        }
        OperationKind::Add(_) | OperationKind::Delete(_) => None,
    }
}

/// Returns the add form with the plant of a request, or the form that deletes by id with its id.
pub(super) fn form(exchange: &Exchange) -> Open {
    let probe = exchange.operation.probe.as_ref();
    match &exchange.operation.kind {
        OperationKind::Add(plant) => {
            let has_other_headers =
                |probe: &Probe| probe.credentials != Credentials::Token || probe.media_type != MediaType::Json;
            let (outcome, blame) = (exchange.outcome(), Blame::of(exchange));
            let draft = Draft::editing(plant, outcome, blame, probe.is_some_and(has_other_headers));
            Open::Add(Box::new(draft))
        }
        OperationKind::Delete(id) => Open::DeleteById(Some(probe.and_then(path_id).unwrap_or(*id))),
    }
}

/// Returns the id in the path of a delete that differs from its plant's, if it is one.
fn path_id(probe: &Probe) -> Option<PlantId> {
    probe.path_id.as_deref()?.parse().ok()
}
