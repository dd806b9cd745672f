import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { toastsAtom } from './toast-atoms.ts'
import { useToasts } from './toasts-context.ts'
import { ToastCard } from './ToastCard.tsx'

export interface ToastsProps {
  /** How far a toast must be dragged to be dismissed, in percent of its width. */
  readonly dragPercent: number
}

/**
 * The stack of messages, top right. On a phone, where they are as wide as the page, they lie over
 * the header, because below it they would cover the page's heading. Announced politely; clocks stop
 * on hover, on focus inside and while the window is in the background.
 */
export function Toasts({ dragPercent }: ToastsProps) {
  const commands = useToasts()
  const toasts = useAtomValue(toastsAtom)
  useEffect(() => {
    const controller = new AbortController()
    let isHeld = false
    const setHeld = (held: boolean) => {
      if (held === isHeld) return
      isHeld = held
      if (held) commands.hold()
      else commands.release()
    }
    setHeld(!document.hasFocus())
    window.addEventListener('blur', () => setHeld(true), { signal: controller.signal })
    window.addEventListener('focus', () => setHeld(false), { signal: controller.signal })
    return () => {
      controller.abort()
      setHeld(false)
    }
  }, [commands])
  return (
    // The attribute keeps the region alive for screen readers, and pressable, while a dialog is
    // open.
    <section
      data-react-aria-top-layer="true"
      aria-label="Messages"
      className="pointer-events-none @container fixed top-[calc(0.25rem+env(safe-area-inset-top))] right-[min(1rem,5vw)] left-[min(1rem,5vw)] z-[60] sm:top-[calc(4.75rem+env(safe-area-inset-top))] sm:left-auto sm:w-96"
    >
      <div aria-live="polite" aria-relevant="additions" className="flex flex-col gap-3">
        {toasts.map((toast) => (
          <ToastCard key={toast.id} toast={toast} dragPercent={dragPercent} />
        ))}
      </div>
    </section>
  )
}
