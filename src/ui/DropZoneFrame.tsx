import { UploadCloud } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { classNames } from './class-names.ts'

export type ZoneState = 'disabled' | 'idle' | 'accept' | 'reject'

/** How a drop zone looks in each of its states, whatever stands in the place of its button. */
export function DropZoneFrame({
  ref,
  state,
  title,
  button,
  hint,
  hintId,
  children,
}: {
  readonly ref?: Ref<HTMLDivElement>
  readonly state: ZoneState
  readonly title: ReactNode
  readonly button: ReactNode
  readonly hint?: ReactNode
  readonly hintId?: string
  readonly children?: ReactNode
}) {
  return (
    <div
      ref={ref}
      data-state={state}
      className={classNames(
        'relative flex flex-col items-center gap-4 rounded-card border-2 border-dashed border-line-strong bg-surface px-5 py-10 text-center transition sm:py-14',
        'data-[state=accept]:border-accent data-[state=accept]:bg-accent-soft data-[state=disabled]:opacity-60 data-[state=reject]:border-bad data-[state=reject]:bg-bad-soft',
      )}
    >
      <div
        aria-hidden
        className="grid size-16 place-items-center rounded-2xl bg-accent-soft text-accent"
      >
        <UploadCloud className="size-8" />
      </div>
      <p className="max-w-md text-lg font-semibold text-balance">{title}</p>
      {button}
      {hint === undefined ? null : (
        <div id={hintId} className="max-w-md text-sm text-ink-muted">
          {hint}
        </div>
      )}
      {children}
    </div>
  )
}
