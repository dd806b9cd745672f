import { useEffect, type RefObject } from 'react'

/** For the outline of what has the focus. */
const GAP_PX = 8

/**
 * Keeps what the browser scrolls to, such as what gets the focus by Tab, above a bar that sticks to
 * the bottom of the window, however high the bar is; `--bar-room` says how much that is, for what
 * floats above it. Without the bar, or where it does not stick, nothing is kept free.
 */
export function useScrollRoom(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = bar.current
    if (element === null) return undefined
    const { style } = document.documentElement
    const keepFree = (room: string) => {
      style.scrollPaddingBottom = room
      style.setProperty('--bar-room', room)
    }
    const fit = () => {
      const { position, marginBottom } = getComputedStyle(element)
      const heightPx = element.offsetHeight + Number.parseFloat(marginBottom) + GAP_PX
      keepFree(position === 'sticky' ? `${heightPx}px` : '')
    }
    const observer = new ResizeObserver(fit)
    observer.observe(element)
    // By the height of the window too it sticks or does not.
    window.addEventListener('resize', fit)
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', fit)
      keepFree('')
    }
  }, [bar])
}
