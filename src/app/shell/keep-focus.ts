/**
 * Keeps the keyboard where it is when the app takes the place of the shell ([Note: shell]): the
 * focus of a link, or of the page's own part, goes to what stands there then. Call it before the
 * app is drawn into `root`.
 */
export function keepFocus(root: Element): void {
  const last = { selector: selectorOf(document.activeElement) }
  const note = () => {
    last.selector = selectorOf(document.activeElement)
  }
  root.addEventListener('focusin', note)
  const observer = new MutationObserver(() => {
    observer.disconnect()
    root.removeEventListener('focusin', note)
    // A screen that has taken the focus itself keeps it.
    if (last.selector !== null && document.activeElement === document.body)
      root.querySelector<HTMLElement>(last.selector)?.focus()
  })
  observer.observe(root, { childList: true })
}

function selectorOf(element: Element | null): string | null {
  const href = element?.getAttribute('href') ?? null
  if (href !== null) return `a[href="${CSS.escape(href)}"]`
  return element === null || element.id === '' ? null : `#${CSS.escape(element.id)}`
}
