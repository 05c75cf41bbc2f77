//! What stands around every page: header, notice, shortcuts, footer.

use leptos::prelude::*;

use super::Shell;
use super::offline::Offline;
use super::theme::Theme;
use crate::app::bench::Benches;
use crate::app::derived::live;
use crate::app::notice::Notice;
use crate::app::route::Page;

/// The header with the way to each bench.
#[component]
pub fn Header() -> impl IntoView {
    let shell = expect_context::<Shell>();
    let current = move |page: Page| (shell.page.get() == page).then_some("page");
    let links = shell.benches.iter().map(|bench| {
        let page = Page::Bench(bench);
        view! { <a href=page.hash() aria-current=move || current(page)>{bench.title}</a> }
    });
    let theme = move || match shell.theme.get() {
        Theme::Light => "Light",
        Theme::Dark => "Dark",
        Theme::System => "Auto",
    };
    view! {
        <header class="shell-head">
            <a class="brand" href="#/" aria-current=move || current(Page::Start)>
                <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
                    <path d="M3 17.5h18M12 4v13.5M7 9v8.5M17 13.5v4" />
                </svg>
                "Assay"
            </a>
            <nav aria-label="Pages">
                {links.collect_view()}
                <a class="to-runs" href=Page::Runs.hash() aria-current=move || current(Page::Runs)>"Runs"</a>
            </nav>
            <div class="shell-tools">
                <button
                    type="button"
                    class="quiet"
                    data-testid="theme"
                    on:click=move |_| shell.switch_theme()
                >
                    <span class="visually-hidden">"Theme: "</span>
                    {live(theme)}
                </button>
                <button
                    type="button"
                    class="quiet"
                    data-testid="help"
                    aria-label="Help: keys and numbers"
                    on:click=move |_| shell.help.set(true)
                >
                    "?"
                </button>
            </div>
        </header>
    }
}

/// The notices.
#[component]
pub fn NoticeBar() -> impl IntoView {
    let shell = expect_context::<Shell>();
    let shown = move || {
        let notices = shell.notices.all().into_iter();
        notices
            .map(|notice| shown_notice(shell, notice))
            .collect_view()
    };
    view! { <div class="notices" role="status" aria-live="polite">{live(shown)}</div> }
}

fn shown_notice(shell: Shell, notice: Notice) -> impl IntoView {
    let Notice {
        is_error,
        text,
        acts,
    } = notice;
    let word = if is_error { "Attention" } else { "Note" };
    let said = text.clone();
    let dismiss = Callback::new(move |()| shell.notices.dismiss_one(&text));
    let acts = acts.into_iter().map(move |act| {
        let label = act.label;
        let take = move |_| {
            if !act.stays {
                dismiss.run(());
            }
            act.run();
        };
        view! { <button type="button" on:click=take>{label}</button> }
    });
    view! {
        <div class="notice" class:error=is_error data-testid="notice">
            <p><strong>{word}": "</strong>{said}</p>
            {acts.collect_view()}
            <button type="button" class="quiet" on:click=move |_| dismiss.run(())>
                "Dismiss"
            </button>
        </div>
    }
}

/// The keys, and what they do.
pub fn shortcuts(benches: Benches) -> Vec<(String, String)> {
    let digits: Vec<_> = (1..=benches.len()).map(|digit| digit.to_string()).collect();
    let titles: Vec<_> = benches.iter().map(|bench| bench.title).collect();
    let (digits, titles) = (format!("Alt + {}", digits.join(", ")), titles.join(", "));
    let keys = [
        ("Ctrl + V", "Paste anywhere: the right bench opens"),
        (&*digits, &*titles),
        ("Alt + 0", "Start page"),
        ("Ctrl + Z", "Undo, outside of a text"),
        ("Ctrl + Shift + Z", "Redo"),
        ("Arrow keys", "Move a slider by 0.01, or through a grid"),
        ("0, 1, 2", "Set a field of a grid"),
        ("Space, Delete", "Switch or clear a field of a grid"),
        ("Enter", "From a review to its justification"),
        ("N, P", "From a reply to the next one, or the one before"),
        ("?", "This sheet, and what the numbers are"),
        ("Esc", "Close"),
    ];
    keys.map(|(key, what)| (key.to_owned(), what.to_owned()))
        .to_vec()
}

/// The footer.
#[component]
pub fn Footer() -> impl IntoView {
    let shell = expect_context::<Shell>();
    view! {
        <footer class="shell-foot">
            <p>"Everything is computed in this page. Nothing leaves this machine."</p>
            <button
                type="button"
                class="quiet"
                data-testid="save-work"
                on:click=move |_| shell.save_file()
            >
                "Save my work as a file"
            </button>
            <Offline />
            <p>
                <a href="licences.txt">"Licences"</a>
                " · Assay "
                {env!("CARGO_PKG_VERSION")}
            </p>
        </footer>
    }
}
