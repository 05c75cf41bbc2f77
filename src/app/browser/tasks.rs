//! Tasks of the page's thread: between two of them the browser draws, and takes
//! keys and clicks.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

use wasm_bindgen::prelude::{Closure, JsCast, JsValue};
use web_sys::{MessageChannel, MessageEvent, MessagePort};

type Task = Box<dyn FnOnce()>;

thread_local! {
    static WAITING: RefCell<VecDeque<Task>> = const { RefCell::new(VecDeque::new()) };
    // a message is a task of its own at once; timers wait 4 ms after a few in a row
    static DOOR: Option<MessagePort> = open();
}

fn open() -> Option<MessagePort> {
    let channel = MessageChannel::new().ok()?;
    let run = Closure::new(|_: MessageEvent| {
        let task = WAITING.with_borrow_mut(VecDeque::pop_front);
        if let Some(task) = task {
            task();
        }
    });
    channel.port1().set_onmessage(Some(
        <Closure<dyn FnMut(MessageEvent)> as AsRef<JsValue>>::as_ref(&run).unchecked_ref(),
    ));
    // it listens for as long as the page is there
    run.forget();
    Some(channel.port2())
}

/// Does something after so many milliseconds.
pub fn after(milliseconds: u32, task: impl FnOnce() + 'static) {
    gloo::timers::callback::Timeout::new(milliseconds, task).forget();
}

/// What comes within so many milliseconds; none of what comes later.
pub async fn within<T>(milliseconds: u32, coming: impl Future<Output = T>) -> Option<T> {
    let waker = Rc::new(Cell::new(None::<Waker>));
    let is_over = Rc::new(Cell::new(false));
    let (woken, ended) = (waker.clone(), is_over.clone());
    let timer = gloo::timers::callback::Timeout::new(milliseconds, move || {
        ended.set(true);
        if let Some(waker) = woken.take() {
            waker.wake();
        }
    });
    let mut coming = Box::pin(coming);
    let came = poll_fn(|context| match coming.as_mut().poll(context) {
        Poll::Ready(came) => Poll::Ready(Some(came)),
        Poll::Pending if is_over.get() => Poll::Ready(None),
        Poll::Pending => {
            waker.set(Some(context.waker().clone()));
            Poll::Pending
        }
    })
    .await;
    drop(timer);
    came
}

/// Does something in a task of its own, soon.
pub fn later(task: Task) {
    let message = || DOOR.with(|door| door.as_ref()?.post_message(&JsValue::NULL).ok());
    WAITING.with_borrow_mut(|waiting| waiting.push_back(task));
    if message().is_none() {
        let task = WAITING.with_borrow_mut(VecDeque::pop_back);
        if let Some(task) = task {
            gloo::timers::callback::Timeout::new(0, task).forget();
        }
    }
}
