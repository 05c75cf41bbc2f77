//! Results that are computed once and handed around, and views that follow them.
//! The page holds the machinery of each once, and not for each type of result.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::Arc;

use leptos::prelude::*;

/// A value of any type, with the way to compare it.
#[derive(Clone)]
struct Erased {
    value: Arc<dyn Any + Send + Sync>,
    same: fn(&dyn Any, &dyn Any) -> bool,
}

impl PartialEq for Erased {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.value, &other.value) || (self.same)(&*self.value, &*other.value)
    }
}

fn same<T: PartialEq + 'static>(one: &dyn Any, other: &dyn Any) -> bool {
    one.downcast_ref::<T>() == other.downcast_ref::<T>()
}

/// A memo of a `T` that is cheap to hand around.
pub struct Derived<T> {
    memo: Memo<Erased>,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for Derived<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Derived<T> {}

impl<T: PartialEq + Send + Sync + 'static> Derived<T> {
    /// A memo of what `make` makes.
    pub fn new(make: impl Fn() -> T + Send + Sync + 'static) -> Self {
        Self::of(Box::new(move || Erased {
            value: Arc::new(make()),
            same: same::<T>,
        }))
    }

    /// A memo of what `make` has already.
    pub fn shared(make: impl Fn() -> Arc<T> + Send + Sync + 'static) -> Self {
        Self::of(Box::new(move || Erased {
            value: make(),
            same: same::<T>,
        }))
    }

    fn of(make: Box<dyn Fn() -> Erased + Send + Sync>) -> Self {
        Self {
            memo: Memo::new(move |_| make()),
            of: PhantomData,
        }
    }

    /// The value, tracked.
    pub fn get(self) -> Arc<T> {
        Self::typed(self.memo.get())
    }

    /// The value, untracked.
    pub fn get_untracked(self) -> Arc<T> {
        Self::typed(self.memo.get_untracked())
    }

    fn typed(erased: Erased) -> Arc<T> {
        let Ok(value) = erased.value.downcast() else {
            unreachable!("a memo is made of one type")
        };
        value
    }

    /// Reads the value, tracked.
    pub fn with<R>(self, read: impl FnOnce(&T) -> R) -> R {
        read(&self.get())
    }

    /// Reads the value, untracked.
    pub fn with_untracked<R>(self, read: impl FnOnce(&T) -> R) -> R {
        read(&self.get_untracked())
    }

    /// Tracks the value.
    pub fn track(self) {
        self.memo.track();
    }
}

/// The same value as a signal of its own. All that follows from a memo looks again whenever
/// the memo may be another; what follows from this is left alone until it is another.
pub fn settled<T>(value: impl Fn() -> T + Send + Sync + 'static) -> Derived<T>
where
    T: PartialEq + Send + Sync + 'static,
{
    let make = move || Erased {
        value: Arc::new(value()),
        same: same::<T>,
    };
    Derived {
        memo: settled_erased(Box::new(make)),
        of: PhantomData,
    }
}

fn settled_erased(make: Box<dyn Fn() -> Erased + Send + Sync>) -> Memo<Erased> {
    let settled = RwSignal::new(untrack(&make));
    boxed_effect(Box::new(move || {
        let new = make();
        if settled.with_untracked(|old| *old != new) {
            settled.set(new);
        }
    }));
    Memo::new(move |_| settled.get())
}

/// A view that follows its signals, without the type of what it draws.
pub fn live<V: IntoAny + 'static>(
    mut draw: impl FnMut() -> V + Send + 'static,
) -> Box<dyn FnMut() -> AnyView + Send> {
    Box::new(move || draw().into_any())
}

/// Something that is done again whenever its signals change.
pub fn effect(run: impl FnMut() + Send + Sync + 'static) {
    boxed_effect(Box::new(run));
}

fn boxed_effect(mut run: Box<dyn FnMut() + Send + Sync>) {
    Effect::new(move |_: Option<()>| run());
}
