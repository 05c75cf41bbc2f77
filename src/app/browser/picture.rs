//! Pictures of what is written as SVG.

use super::Refused;
use js_sys::{Array, Object, Promise, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, future_to_promise};
use web_sys::{Blob, CanvasRenderingContext2d, ClipboardItem, HtmlCanvasElement, HtmlImageElement};

/// The address of an SVG text, which an image takes.
pub fn address(svg: &str) -> String {
    let escaped = String::from(js_sys::encode_uri_component(svg));
    format!("data:image/svg+xml;charset=utf-8,{escaped}")
}

/// The picture as PNG, with so many pixels for each of its own.
pub async fn png(svg: String, scale: u32) -> Result<Blob, Refused> {
    draw(&svg, scale).await.map_err(|_| Refused)
}

async fn draw(svg: &str, scale: u32) -> Result<Blob, JsValue> {
    let image = HtmlImageElement::new()?;
    image.set_src(&address(svg));
    JsFuture::from(image.decode()).await?;
    let (width, height) = (
        image.natural_width() * scale,
        image.natural_height() * scale,
    );
    let document = web_sys::window().and_then(|window| window.document());
    let document = document.ok_or(JsValue::NULL)?;
    let canvas: HtmlCanvasElement = document.create_element("canvas")?.dyn_into()?;
    canvas.set_width(width);
    canvas.set_height(height);
    let context = canvas.get_context("2d")?.ok_or(JsValue::NULL)?;
    let context: CanvasRenderingContext2d = context.dyn_into()?;
    let (width, height) = (f64::from(width), f64::from(height));
    context.draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, width, height)?;
    let mut written = None;
    let promise = Promise::new(&mut |resolve, _| {
        let done = Closure::once_into_js(move |blob: JsValue| {
            let _ = resolve.call1(&JsValue::NULL, &blob);
        });
        written = Some(canvas.to_blob(done.unchecked_ref()));
    });
    written.unwrap_or(Ok(()))?;
    // a canvas that is too large gives nothing
    JsFuture::from(promise).await?.dyn_into()
}

/// Puts the picture on the clipboard as PNG. The browser is asked at once, while it still knows of
/// the press that brought this about; the picture comes after.
pub async fn copy(svg: String, scale: u32) -> Result<(), Refused> {
    let window = web_sys::window().ok_or(Refused)?;
    if !window.is_secure_context() {
        return Err(Refused); // there is no clipboard at all
    }
    let drawn = future_to_promise(async move { draw(&svg, scale).await.map(JsValue::from) });
    let items = Object::new();
    Reflect::set(&items, &"image/png".into(), &drawn).map_err(|_| Refused)?;
    let item = ClipboardItem::new_with_record_from_str_to_blob_promise(&items);
    let item = item.map_err(|_| Refused)?;
    let promise = window.navigator().clipboard().write(&Array::of1(&item));
    JsFuture::from(promise)
        .await
        .map(|_| ())
        .map_err(|_| Refused)
}
