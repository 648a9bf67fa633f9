//! Phase 1: the lifetime of each request, from its accesses and those of the requests that use the
//! same storage.
//!
//! Source: TileAS reference section 7, phase 1.

use std::collections::BTreeMap;

use super::error::{AssignError, Phase};
use super::lifetime::{self, Lifetime};
use super::request::{Access, BufferRequest};

/// The lifetime of each request, in the order of the requests. Requests that alias the same storage
/// have the union of their lifetimes.
pub(super) fn resolve(requests: &[BufferRequest]) -> Result<Vec<Lifetime>, AssignError> {
    let fail = |request: &BufferRequest, why: String| {
        AssignError::new(Phase::Lifetime, request, None).because(why)
    };
    let by_id: BTreeMap<u32, usize> = requests.iter().map(|r| r.id).zip(0..).collect();
    if let Some(twice) = (0..requests.len()).find(|at| by_id[&requests[*at].id] != *at) {
        return Err(fail(&requests[twice], "its id is not unique".to_owned()));
    }
    let mut families: BTreeMap<u32, Lifetime> = BTreeMap::new();
    let mut roots = Vec::with_capacity(requests.len());
    for request in requests {
        let root = root(requests, &by_id, request).map_err(|why| fail(request, why))?;
        let own = own(request).map_err(|why| fail(request, why))?;
        let whole = families.entry(root).or_insert(own);
        *whole = lifetime::union(*whole, own);
        roots.push(root);
    }
    Ok(roots.iter().map(|root| families[root]).collect())
}

/// The id of the request that owns the storage.
fn root(
    requests: &[BufferRequest],
    by_id: &BTreeMap<u32, usize>,
    request: &BufferRequest,
) -> Result<u32, String> {
    let mut current = request;
    for _ in 0..requests.len() {
        let Some(parent) = current.alias_of else {
            return Ok(current.id);
        };
        let Some(&at) = by_id.get(&parent) else {
            return Err(format!(
                "it uses the storage of value {parent}, which allocates none"
            ));
        };
        current = &requests[at];
    }
    Err("the references to its storage are cyclic".to_owned())
}

/// From the first write to the last read.
fn own(request: &BufferRequest) -> Result<Lifetime, String> {
    let first = |accesses: &[Access]| accesses.iter().map(|access| access.start).min();
    let last = |accesses: &[Access]| accesses.iter().map(|access| access.end).max();
    let Some(start) = first(&request.producers) else {
        return Err("it has no producer".to_owned());
    };
    let Some(end) = last(&request.consumers) else {
        return Err("it has no consumer".to_owned());
    };
    let Some(timing) = request.timing else {
        return Ok(Lifetime::Always);
    };
    let (region, interval) = (timing.region, timing.interval);
    // A producer, such as a prefetching one, may still write after the last reader has finished.
    let end = end.max(last(&request.producers).unwrap_or(end));
    if interval == 0 {
        return Err("its loop has an initiation interval of 0".to_owned());
    }
    Ok(Lifetime::Cyclic {
        region,
        interval,
        start,
        end: end.max(start.saturating_add(1)),
    })
}
