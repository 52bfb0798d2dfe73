/// Style and script of ``DocsPage``.
enum DocsAssets {
    static let style: HTML = """
        :root {
          --text: #1c2024; --muted: #60646c; --line: #e0e3e8; --page: #fff; --card: #f7f8fa; --code: #eef0f4; --link: #0b5fd0;
          --get: #0a6e4e; --post: #0b5fd0; --patch: #8a5a00; --delete: #c0262d; --put: #6b3fc4; --event: #6b3fc4
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --text: #e6e8eb; --muted: #a0a6b0; --line: #2e333b; --page: #14171b; --card: #1b1f25; --code: #262b33;
            --link: #7db3ff; --get: #4cc38a; --post: #7db3ff; --patch: #e5b567; --delete: #ff8a8a; --put: #b69cff;
            --event: #b69cff
          }
        }
        * { box-sizing: border-box }
        html { scroll-padding-top: 4.5rem }
        body {
          background: var(--page); color: var(--text); display: grid; font: 1rem/1.55 system-ui, sans-serif;
          grid-template: auto 1fr / 19rem minmax(0, 1fr); margin: 0
        }
        a { color: var(--link); text-decoration: none }
        main a, a:hover { text-decoration: underline }
        :focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
        code, pre { background: var(--code); border-radius: .25rem; font: .875em/1.5 ui-monospace, monospace }
        code { overflow-wrap: anywhere; padding: .1em .3em }
        pre { margin: .5rem 0; overflow-wrap: anywhere; padding: .75rem 1rem; white-space: pre-wrap }
        .call { margin: .5rem 0 1rem; position: relative }
        .call pre { padding-right: 5.75rem; min-height: 3.75rem }
        .call button {
          background: var(--page); border: 1px solid var(--line); border-radius: .375rem; color: var(--link); cursor: pointer;
          font: 600 .875rem system-ui, sans-serif; min-height: 2.75rem; position: absolute; right: .5rem; top: .5rem; width: 4.75rem
        }
        .call button:hover { background: var(--card) }
        #found { color: var(--muted); font-size: .875rem; margin: 0 }
        small, .type, .auth { color: var(--muted) }
        header {
          align-items: center; background: var(--page); border-bottom: 1px solid var(--line); display: flex; gap: 1rem;
          grid-column: 1 / -1; padding: .75rem 1.5rem; position: sticky; top: 0; z-index: 1
        }
        .contents { line-height: 2.75rem }
        #search { min-height: 2.75rem }
        .title { font-size: 1.125rem; margin: 0; white-space: nowrap }
        #search {
          background: var(--card); border: 1px solid var(--line); border-radius: .5rem; color: inherit; font: inherit;
          flex: 1; margin-left: auto; max-width: 26rem; min-width: 0; padding: .4rem .75rem
        }
        #search::placeholder { color: var(--muted); opacity: 1 }
        nav {
          align-self: start; border-right: 1px solid var(--line); font-size: .9rem; max-height: calc(100vh - 3.75rem);
          overflow-y: auto; padding: 1rem .75rem 2rem; position: sticky; top: 3.75rem
        }
        nav summary { cursor: pointer; font-weight: 600; padding: .35rem .5rem }
        nav ul { list-style: none; margin: 0 0 .5rem; padding: 0 }
        nav li a { align-items: baseline; border-radius: .375rem; color: inherit; display: flex; gap: .5rem; padding: .25rem .5rem }
        nav > ul a { font-weight: 600 }
        nav li a:hover { background: var(--card); text-decoration: none }
        nav .method { flex: none; font-size: .625rem; width: 3.25rem }
        main { max-width: 62rem; padding: 1rem 2rem 6rem }
        h1 { font-size: 1.75rem; line-height: 1.25; margin: 1rem 0 }
        h2 { border-bottom: 1px solid var(--line); font-size: 1.375rem; margin: 3rem 0 1rem; padding-bottom: .5rem }
        h3 { font-size: 1.0625rem; margin: 0 0 .5rem; overflow-wrap: anywhere }
        h3 code { background: none; padding: 0 }
        h4 { font-size: .875rem; margin: 1.25rem 0 .375rem }
        p { margin: .5rem 0 }
        .summary { font-weight: 600 }
        section { margin: 0 0 1.25rem }
        section:not(#overview) { border: 1px solid var(--line); border-radius: .75rem; padding: 1rem 1.25rem }
        section:target { border-color: var(--link) }
        .self { margin-left: .5rem; opacity: .35 }
        section:hover .self, .self:focus { opacity: 1 }
        .method { letter-spacing: .03em }
        .get { color: var(--get) } .post { color: var(--post) } .patch { color: var(--patch) }
        .delete { color: var(--delete) } .put { color: var(--put) } .event { color: var(--event) }
        .s2 { color: var(--get) } .s3 { color: var(--muted) } .s4 { color: var(--patch) } .s5 { color: var(--delete) }
        table { border-collapse: collapse; width: 100% }
        tr { border-top: 1px solid var(--line) }
        th, td { padding: .4rem .75rem .4rem 0; text-align: left; vertical-align: top }
        th { font-weight: 400; width: 30% }
        .responses th { width: 4.5rem }
        .ways tr:first-child { border: 0 }
        td { overflow-wrap: anywhere }
        details summary { cursor: pointer }
        main details { margin-top: .5rem }
        [hidden] { display: none !important }
        @media (max-width: 52rem) {
          body { display: block }
          header { padding: .5rem 1rem }
          .title span, .source { display: none }
          /* The content begins the page; the contents open at their link, and close at theirs. */
          nav { border-bottom: 1px solid var(--line); border-right: 0; max-height: none; position: static }
          nav:not(:target) { display: none }
          nav li a { padding-block: .625rem }
          main { padding: .5rem 1rem 4rem }
          h1 { font-size: 1.25rem; margin: .75rem 0 }
          pre { padding: .75rem }
          .ways, .ways tr, .ways th, .ways td { display: block; width: auto }
          .ways td { padding-top: 0 }
          th { width: 40% }
        }
        @media (min-width: 52.01rem) { .contents { display: none } }
        @media print { nav, header { display: none } body { display: block } }
        """

    static let script: HTML = """
        const search = document.getElementById("search")
        const items = [...document.querySelectorAll("[data-item]")]
        const texts = items.map(item => item.textContent.toLowerCase())
        const titles = items.map(item => [item.id, ...[...item.querySelectorAll("h3, .summary")].map(part => part.textContent)].join(" ").toLowerCase())
        let before, first
        function find() {
          const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean)
          /* Before anything is hidden, since that moves the page. */
          if (words.length) before ??= scrollY
          const has = texts => (_, index) => words.every(word => texts[index].includes(word))
          const shown = new Set()
          items.forEach((item, index) => {
            item.hidden = !has(texts)(item, index)
            if (!item.hidden) shown.add(item.id)
          })
          for (const link of document.querySelectorAll("[data-for]")) link.hidden = !shown.has(link.dataset.for)
          for (const group of document.querySelectorAll("[data-group]")) {
            const parts = [...group.querySelectorAll("[data-item], [data-for]")]
            group.hidden = parts.length > 0 && parts.every(part => part.hidden)
            if (group.matches("nav details:last-child")) group.open = words.length > 0 && !group.hidden
          }
          const found = document.getElementById("found")
          found.textContent = !words.length ? "" : shown.size ? `${shown.size} found` : "Nothing found."
          /* To what is called so, rather than what only mentions it; and back to where one was. */
          first = words.length ? items.find(has(titles)) ?? items.find(has(texts)) : undefined
          if (first) first.scrollIntoView()
          else if (!words.length && before !== undefined) { scrollTo(0, before); before = undefined }
        }
        search.hidden = false
        search.addEventListener("input", find)
        search.addEventListener("keydown", event => {
          if (event.key !== "Enter" || !first) return
          first.tabIndex = -1
          first.focus()
        })
        addEventListener("keydown", event => {
          if (event.key === "/" && document.activeElement !== search) { event.preventDefault(); search.focus({ preventScroll: true }) }
          if (event.key === "Escape" && document.activeElement === search) { search.value = ""; find(); search.blur() }
        })
        // The page's own address, wherever a proxy has put it.
        for (const base of document.querySelectorAll(".base")) base.textContent = location.href.replace(/\\/docs\\/?([?#].*)?$/, "")
        for (const button of document.querySelectorAll(".call button")) {
          button.hidden = false
          button.addEventListener("click", async () => {
            getSelection().selectAllChildren(button.previousElementSibling)
            try {
              await navigator.clipboard.writeText(button.previousElementSibling.textContent)
              button.textContent = "Copied"
              setTimeout(() => { button.textContent = "Copy" }, 3000)
            } catch {}
          })
        }
        // A link to what the search hides would lead nowhere.
        addEventListener("hashchange", () => {
          const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
          if (target && target.closest("[hidden]")) { search.value = ""; find(); target.scrollIntoView() }
        })
        """
}
