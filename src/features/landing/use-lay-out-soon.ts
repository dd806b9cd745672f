import { useLayoutEffect } from 'react'

/** An idle moment comes at the latest then. */
const WITHIN_MS = 2_000

/**
 * Lays out the sections below the first screen in idle moments, one after the other, and all at
 * once when the page is scrolled before: what stands in for a section has a guessed height, so that
 * the page would jump while a person reads.
 */
export function useLayOutSoon(): void {
  // Not after the page is drawn: a scroll in between would not be heard.
  useLayoutEffect(() => {
    const late = [...document.querySelectorAll<HTMLElement>('.laid-out-late')]
    const layOut = (section: HTMLElement | undefined): void => {
      if (section !== undefined) section.style.contentVisibility = 'visible'
    }
    const layOutAll = (): void => {
      for (const section of late.splice(0)) layOut(section)
    }
    let cancel = (): void => undefined
    const layOutNext = (): void => {
      layOut(late.shift())
      if (late.length > 0) cancel = whenIdle(layOutNext)
    }
    cancel = whenIdle(layOutNext)
    // Also where the browser brings a reader back to where they were.
    window.addEventListener('scroll', layOutAll, { once: true, passive: true })
    return () => {
      cancel()
      window.removeEventListener('scroll', layOutAll)
    }
  }, [])
}

/** Safari has no idle callbacks. Returns the function that calls it off. */
function whenIdle(run: () => void): () => void {
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(run, WITHIN_MS / 10)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(run, { timeout: WITHIN_MS })
  return () => cancelIdleCallback(handle)
}
