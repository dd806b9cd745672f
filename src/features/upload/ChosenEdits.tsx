import { optionsWords } from '#src/components/options-words.ts'
import type { Preset } from '#src/hooks/use-presets.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'

export interface ChosenEditsProps {
  readonly requests: readonly TaskRequest[]
  readonly presets: readonly Preset[]
  /** Null where nothing can be changed from here. */
  readonly onChange: (() => void) | null
  /** A payment was made: the edits stay as they are. */
  readonly isFixed: boolean
}

/** What was asked for, with its options, and the way back to the picker until something is paid (JOB-03). */
export function ChosenEdits({ requests, presets, onChange, isFixed }: ChosenEditsProps) {
  return (
    <Card as="section" labelledBy="chosen-edits">
      <h2 id="chosen-edits" className="text-lg font-semibold">Requested edits</h2>
      <ul className="mt-4 flex flex-col gap-3">
        {requests.map((request) => {
          const preset = presets.find((candidate) => candidate.slug === request.mediaJobTaskPresetSlug)
          const options = optionsWords(request)
          return (
            <li key={request.mediaJobTaskPresetSlug} className="flex items-center gap-3">
              {preset === undefined ? null : <img src={preset.imageUrl} alt="" width={64} height={36} className="h-9 w-16 shrink-0 rounded-lg bg-surface-sunken object-cover" />}
              <span className="min-w-0">
                <span className="block leading-snug font-medium">{preset?.name ?? request.mediaJobTaskPresetSlug}</span>
                {options === null ? null : <span className="block truncate text-sm text-ink-muted">{options}</span>}
              </span>
            </li>
          )
        })}
      </ul>
      {onChange === null ? null : (
        <div className="mt-5">
          <Button variant="secondary" onPress={onChange} isDisabled={isFixed} {...(isFixed ? { describedBy: 'edits-fixed' } : {})} className="w-full">Change Requested Edits</Button>
          {isFixed ? <p id="edits-fixed" className="mt-2 text-sm text-ink-muted">A payment was made, so these edits stay as they are.</p> : null}
        </div>
      )}
    </Card>
  )
}
