//! Every run-time path that an expansion names, in one list.

pub use inventory;
pub use tokio::join;

pub use crate::{
    __arg as arg, __argument_kind as argument_kind, __get as get, __is as is, __outcome_kind as outcome_kind,
    __parsed as parsed, __reply_kind as reply_kind, __resolver as resolver, __return_kind as return_kind,
    __slot as slot, __text_kind as text_kind, __whole as whole, BoxFuture,
    ask::{Answered, Choice, Field, FieldDef, Form, FormReader, ReadField, field},
    handler::{
        args::{
            Argument, Fill, HeaderArgument, Held, InjectAll, Slot, Slots, TextSlot, Whole, default_text,
            header, takes,
        },
        call::{Call, Outcome, run},
        completion::{completable, completion},
        def::{
            Companion, CompletionDef, Handler, Literal, Param, PromptDef, Reference, Registered, ResolverDef,
            ResourceDef, TaskSupport, ToolDef, param, text_param,
        },
        error::Stop,
        extract::{FromContext, Need},
        instances::listing,
        offload::{Load, offload},
        probe::{Fallback, Kind, Probe, Returned, param_kind, return_kind, sent, told},
        reply::{Reply, reply, reply_kind, sendable},
        resolve::{
            Arg, Definition, Gives, Has, IsResolver, Resolved, Resolver, Scope, Supply, is_resolver, name,
            outcome_kind, resolves,
        },
        strings::{Parsed, TextSlots, takes_text},
        text_reply::{contents, messages, readable, sayable},
        visible::rule,
    },
    protocol::{CacheScope, Role},
    schema::{Generated, Output},
};
