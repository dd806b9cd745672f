import { Check } from 'lucide-react'
import { classNames } from '#src/ui/class-names.ts'
import type { FlowStep } from './flow-state.ts'

const STEPS: readonly { readonly id: FlowStep; readonly label: string }[] = [
  { id: 'upload', label: 'Upload' },
  { id: 'formats', label: 'Choose edits' },
  { id: 'order', label: 'Order & pay' },
  { id: 'work', label: 'Editing' },
]

/**
 * The steps from a video to its edits, and which of them is the current one. The upload goes on
 * while the next steps are taken: it is left behind then, and done when its file has arrived.
 */
export function StepList({
  step,
  isUploaded,
}: {
  readonly step: FlowStep
  readonly isUploaded: boolean
}) {
  const at = STEPS.findIndex((candidate) => candidate.id === step)
  return (
    <ol aria-label="Steps" className="mb-4 grid grid-cols-4 gap-2 sm:mb-8 sm:gap-3">
      {STEPS.map(({ id, label }, index) => {
        const state = stateOf(index, at)
        const isDone = state === 'past' && (id !== 'upload' || isUploaded)
        return (
          <li key={id} aria-current={state === 'now' ? 'step' : undefined} className="min-w-0">
            <span
              className={classNames(
                'block h-1.5 rounded-full forced-colors:border',
                state === 'next' ? 'bg-line' : 'bg-gradient-accent',
              )}
            />
            <span
              className={classNames(
                'mt-2 flex items-center gap-1.5 text-[min(0.75rem,9vw)] max-sm:whitespace-nowrap sm:text-sm',
                // Words wider than their bar go on below the bars before, and not off the screen.
                index >= STEPS.length / 2 && 'max-sm:justify-end',
                state === 'now' ? 'font-semibold text-ink' : 'text-ink-muted',
              )}
            >
              {isDone ? (
                <Check
                  aria-hidden
                  className="hidden size-4 shrink-0 text-accent sm:block"
                  strokeWidth={2.5}
                />
              ) : null}
              {/* On phones the others would wrap; their bars say enough. */}
              <span
                className={classNames(
                  'min-w-0 max-sm:shrink-0',
                  state !== 'now' && 'max-sm:sr-only',
                )}
              >
                {label}
                {isDone ? <span className="sr-only"> (done)</span> : null}
              </span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}

function stateOf(index: number, at: number): 'past' | 'now' | 'next' {
  if (index < at) return 'past'
  return index === at ? 'now' : 'next'
}
