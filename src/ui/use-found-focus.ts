import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

/**
 * Gives the heading of a screen, or of a part of it that takes the place of what was pressed, the
 * focus where the press that led there lost it: what was pressed
 * is gone, and a keyboard or a screen reader would begin anywhere. Nothing is taken from a field
 * that has the focus, nor from a page that was just loaded, whose first stop is the skip link.
 * @param isWanted false where the screen itself says when its heading has the focus
 * @param heading of what appears
 * @returns the ref of the element that holds the heading, which needs `tabIndex={-1}`
 */
export function useFoundFocus<T extends HTMLElement>(
  isWanted = true,
  heading: 'h1' | 'h2' = 'h1',
): RefObject<T | null> {
  const screen = useRef<T>(null)
  useEffect(() => {
    if (!isWanted || document.activeElement !== document.body || !hasPersonActed()) return
    screen.current?.querySelector<HTMLElement>(heading)?.focus({ preventScroll: true })
  }, [isWanted, heading])
  return screen
}

/** Firefox before 120 and Safari before 16.4 do not tell, and keep the focus where it fell. */
function hasPersonActed(): boolean {
  return 'userActivation' in navigator && navigator.userActivation.hasBeenActive
}
