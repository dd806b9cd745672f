import type { components } from '#openapi/schema.gen.ts'
import { singleFiles } from '#recipes/single-files.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import { Checkbox } from '#src/ui/Checkbox.tsx'

type MediaJob = components['schemas']['MediaJob']

/** Finished edits, of which some are saved. */
export function EditChoice({
  tasks,
  left,
  onChange,
}: {
  readonly tasks: MediaJob['tasks']
  /** The ids of those that are not chosen. */
  readonly left: readonly string[]
  readonly onChange: (left: readonly string[]) => void
}) {
  return (
    <ul className="flex flex-col">
      {tasks.map(({ _id, name, outputs }) => (
        <li key={_id}>
          <Checkbox
            isSelected={!left.includes(_id)}
            onChange={(isChosen) =>
              onChange(isChosen ? left.filter((id) => id !== _id) : [...left, _id])
            }
          >
            <span className="min-w-0 wrap-anywhere">
              {name} <span className="text-ink-muted">{formatBytes(bytesIn(outputs))}</span>
            </span>
          </Checkbox>
        </li>
      ))}
    </ul>
  )
}

function bytesIn(outputs: MediaJob['tasks'][number]['outputs']): number {
  const files = singleFiles(outputs.filter((output) => output.kind === 'download-button'))
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}
