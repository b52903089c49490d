//! What has to hold of functions and their resolvers before a server starts.

use super::Report;
use crate::handler::{
    def::{Common, Location, Registered, ResolverDef},
    extract::{Need, States},
};

/// Reports states that a function or its resolvers need and the server was not given.
pub(super) fn check_needs(common: &'static Common, states: &States, report: &mut Report) {
    let mut needs: Vec<_> = common.params.iter().map(|param| param.need).collect();
    needs.extend(all_resolvers(common.resolvers).iter().flat_map(|def| def.needs.iter().copied()));
    let mut needs: Vec<_> = needs.into_iter().filter_map(|need| need()).collect();
    needs.extend(common.rule.iter().flat_map(|rule| rule.needs()));
    check_states(common.name, common.location, &needs, states, report);
}

/// Reports those of these states that the server was not given.
pub(super) fn check_states(
    name: &str,
    location: Location,
    needs: &[Need],
    states: &States,
    report: &mut Report,
) {
    for need in needs.iter().filter(|need| !states.has(**need)) {
        report.at(
            location,
            format!("`{name}` needs the state `{}`: write `.state(…)` with one on the server", need.name),
        );
    }
}

/// Reports two resolvers of one function that ask under one key.
pub(super) fn check_keys(common: &'static Common, report: &mut Report) {
    let resolvers = all_resolvers(common.resolvers);
    for (index, one) in resolvers.iter().enumerate() {
        for other in &resolvers[index + 1..] {
            if one.key == other.key {
                report.at(
                    common.location,
                    format!(
                        "`{}` uses two resolvers with the key `{}`, at {} and {}: give one of them another \
                         (`#[resolver(key = \"…\")]`)",
                        common.name, one.key, one.location, other.location
                    ),
                );
            }
        }
    }
}

/// Reports resolvers that need each other.
pub(super) fn check_resolvers(report: &mut Report) {
    for registered in inventory::iter::<Registered> {
        if let Registered::Resolver(def) = registered {
            let mut path = vec![*def];
            if cycle(def, &mut path) {
                let names: Vec<_> = path.iter().map(|def| format!("`{}`", def.name)).collect();
                report.at(def.location, format!("resolvers go in a circle: {}", names.join(" needs ")));
            }
        }
    }
}

/// Whether `start` comes back to itself; `path` is then the way. Only the first of the circle by
/// place reports it, so that one circle is one problem.
fn cycle(start: &'static ResolverDef, path: &mut Vec<&'static ResolverDef>) -> bool {
    let Some(last) = path.last().copied() else { return false };
    for next in last.resolvers {
        let next = next();
        if std::ptr::eq(next, start) {
            path.push(next);
            return path.iter().all(|def| place(start.location) <= place(def.location));
        }
        if path.iter().any(|known| std::ptr::eq(*known, next)) {
            continue;
        }
        path.push(next);
        if cycle(start, path) {
            return true;
        }
        path.pop();
    }
    false
}

fn place(location: Location) -> (&'static str, u32) {
    (location.file, location.line)
}

/// The resolvers that these need, themselves included, each once.
fn all_resolvers(direct: &[fn() -> &'static ResolverDef]) -> Vec<&'static ResolverDef> {
    let mut all: Vec<&'static ResolverDef> = Vec::new();
    let mut waiting: Vec<_> = direct.iter().map(|def| def()).collect();
    while let Some(def) = waiting.pop() {
        if !all.iter().any(|known| std::ptr::eq(*known, def)) {
            all.push(def);
            waiting.extend(def.resolvers.iter().map(|def| def()));
        }
    }
    all
}
