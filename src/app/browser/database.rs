//! What all uses of IndexedDB share: opening a database, and the end of a transaction.

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{IdbDatabase, IdbTransaction};

/// What a database gives, or how it refuses.
pub type Outcome<T> = Result<T, JsValue>;

/// Opens a database; one that is new is furnished first.
pub async fn open(
    name: &str,
    furnish: impl Fn(&IdbDatabase) -> Outcome<()> + 'static,
) -> Outcome<IdbDatabase> {
    let factory = web_sys::window().and_then(|window| window.indexed_db().ok()?);
    let request = factory.ok_or(JsValue::NULL)?.open_with_u32(name, 1)?;
    let same = request.clone();
    let upgrade = Closure::<dyn FnMut()>::new(move || {
        if let Ok(database) = same.result() {
            let _ = furnish(&database.unchecked_into());
        }
    });
    request.set_onupgradeneeded(Some(upgrade.as_ref().unchecked_ref()));
    let settled = Promise::new(&mut |resolve, reject| {
        request.set_onsuccess(Some(&resolve));
        request.set_onerror(Some(&reject));
    });
    // who waits may give up: the database is furnished all the same, or it would be an empty
    // one for ever
    let is_open = JsFuture::from(settled.clone());
    spawn_local(async move {
        let _ = is_open.await;
        drop(upgrade);
    });
    JsFuture::from(settled).await?;
    Ok(request.result()?.unchecked_into())
}

/// The end of a transaction, done or not.
pub fn done(work: &IdbTransaction) -> JsFuture {
    let settled = Promise::new(&mut |resolve, reject| {
        work.set_oncomplete(Some(&resolve));
        work.set_onabort(Some(&reject));
    });
    settled.into()
}

/// Forgets a database; it goes when nobody has it open any more.
pub fn remove(name: &str) {
    let factory = web_sys::window().and_then(|window| window.indexed_db().ok()?);
    if let Some(factory) = factory {
        let _ = factory.delete_database(name);
    }
}
