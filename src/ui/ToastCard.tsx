import { Bell, CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { PointerEvent } from 'react'
import { Button } from './Button.tsx'
import { IconButton } from './IconButton.tsx'
import type { Toast, ToastKind } from './toast-atoms.ts'
import { useToasts } from './toasts-context.ts'

const looks: Readonly<
  Record<ToastKind, { readonly icon: typeof Info; readonly ink: string; readonly word: string }>
> = {
  default: { icon: Bell, ink: 'text-ink-muted', word: '' },
  info: { icon: Info, ink: 'text-accent', word: '' },
  success: { icon: CircleCheck, ink: 'text-good', word: '' },
  warning: { icon: TriangleAlert, ink: 'text-warn', word: 'Warning: ' },
  error: { icon: CircleAlert, ink: 'text-bad', word: 'Error: ' },
}

/** One message with at most one action and a close button. Dragging it sideways dismisses it. */
export function ToastCard({
  toast,
  dragPercent,
}: {
  readonly toast: Toast
  readonly dragPercent: number
}) {
  const toasts = useToasts()
  const drag = useDragAway(dragPercent, () => toasts.close(toast.id))
  const reading = useReading()
  const look = looks[toast.kind]
  const Icon = look.icon
  return (
    <div
      {...drag.handlers}
      {...reading}
      data-kind={toast.kind}
      style={{ transform: `translateX(${drag.offsetPx}px)`, opacity: 1 - drag.progress * 0.7 }}
      className="pointer-events-auto flex animate-rise touch-pan-y flex-wrap items-start gap-x-[min(0.75rem,4vw)] rounded-2xl border border-line bg-surface-raised pr-1.5 pl-[min(1rem,4vw)] shadow-3 sm:flex-nowrap sm:py-2"
    >
      <Icon aria-hidden className={`mt-3 size-5 shrink-0 @max-[16rem]:hidden ${look.ink}`} />
      <div className="flex min-h-11 min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-2.5 py-1.5 text-sm leading-snug @max-[16rem]:order-last @max-[16rem]:min-h-0 @max-[16rem]:basis-full @max-[16rem]:pt-0 sm:py-2.5 sm:text-[0.9375rem]">
        <p className="min-w-0 flex-1 basis-24">
          <span className="sr-only">{look.word}</span>
          {toast.text}
        </p>
        {toast.action === null ? null : (
          <Button
            variant="secondary"
            size="small"
            onPress={() => {
              toast.action?.onPress()
              toasts.close(toast.id)
            }}
          >
            {toast.action.label}
          </Button>
        )}
      </div>
      <IconButton
        label="Close message"
        icon={<X aria-hidden />}
        className="@max-[16rem]:ml-auto"
        onPress={() => toasts.close(toast.id)}
      />
    </div>
  )
}

/**
 * Stops the clocks while the pointer or the focus is inside, and lets them run when the toast
 * disappears under them.
 */
function useReading() {
  const toasts = useToasts()
  const reasons = useRef(new Set<'pointer' | 'focus'>())
  const add = (reason: 'pointer' | 'focus') => {
    if (reasons.current.has(reason)) return
    reasons.current.add(reason)
    toasts.hold()
  }
  const remove = (reason: 'pointer' | 'focus') => {
    if (reasons.current.delete(reason)) toasts.release()
  }
  useEffect(() => {
    const held = reasons.current
    return () => {
      for (const _reason of held) toasts.release()
      held.clear()
    }
  }, [toasts])
  return {
    onPointerEnter: () => add('pointer'),
    onPointerLeave: () => remove('pointer'),
    onFocus: () => add('focus'),
    onBlur: () => remove('focus'),
  }
}

function useDragAway(dragPercent: number, onGone: () => void) {
  const [offsetPx, setOffset] = useState(0)
  const [progress, setProgress] = useState(0)
  const startX = useRef<number | null>(null)
  const settle = () => {
    startX.current = null
    setOffset(0)
    setProgress(0)
  }
  return {
    offsetPx,
    progress,
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0 || (event.target as HTMLElement).closest('button') !== null) return
        startX.current = event.clientX
        event.currentTarget.setPointerCapture(event.pointerId)
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        if (startX.current === null) return
        const offset = event.clientX - startX.current
        setOffset(offset)
        setProgress(
          Math.min(1, Math.abs(offset) / ((event.currentTarget.offsetWidth * dragPercent) / 100)),
        )
      },
      onPointerUp: () => {
        const isFar = progress >= 1
        settle()
        if (isFar) onGone()
      },
      onPointerCancel: settle,
    },
  }
}
