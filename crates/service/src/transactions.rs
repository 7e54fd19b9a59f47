//! Transactions of the service. Each macro calls the function of `ports::store` with its name, and boxes the work, which is an
//! asynchronous block: `atomically!(store, [settings, now = clock.now()], |tx| { … })`. In brackets stands what the work shares
//! with its surroundings: a name alone by reference, or a value that is made anew for every attempt.

macro_rules! transaction {
    ($run:ident, $store:expr, [$($shared:ident $(= $value:expr)?),*], |$tx:ident| $work:block) => {
        ports::store::$run::<_, $crate::error::Error, _>($store, |$tx| {
            $(let $shared = $crate::transactions::shared!($shared $(= $value)?);)*
            Box::pin(async move $work)
        })
    };
    ($run:ident, $store:expr, |$tx:ident| $work:block) => {
        ports::store::$run::<_, $crate::error::Error, _>($store, |$tx| Box::pin(async move $work))
    };
}

macro_rules! shared {
    ($shared:ident) => {
        &$shared
    };
    ($shared:ident = $value:expr) => {
        $value
    };
}

macro_rules! atomically {
    ($($work:tt)*) => { $crate::transactions::transaction!(atomically, $($work)*) };
}

macro_rules! if_free {
    ($($work:tt)*) => { $crate::transactions::transaction!(if_free, $($work)*) };
}

macro_rules! in_custody {
    ($($work:tt)*) => { $crate::transactions::transaction!(in_custody, $($work)*) };
}

pub(crate) use {atomically, if_free, in_custody, shared, transaction};
