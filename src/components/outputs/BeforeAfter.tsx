import type { components } from '#openapi/schema.gen.ts'
import { OutputList, type OutputListProps } from './OutputList.tsx'

type Task = components['schemas']['MediaJobTask']

export interface BeforeAfterProps extends Omit<OutputListProps, 'outputs'> {
  readonly before: Pick<Task, '_id' | 'outputs'>
  readonly after: Pick<Task, '_id' | 'outputs'>
}

/** An edit and the one that was made of it again, side by side; on phones one above the other. */
export function BeforeAfter({ before, after, ...list }: BeforeAfterProps) {
  return (
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <Side id={`before-${after._id}`} title="Before" outputs={before.outputs} {...list} />
      <Side id={`after-${after._id}`} title="After" outputs={after.outputs} {...list} />
    </div>
  )
}

function Side({
  id,
  title,
  ...list
}: OutputListProps & { readonly id: string; readonly title: string }) {
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h4 id={id} className="mb-2 text-sm font-semibold text-ink-muted">
        {title}
      </h4>
      {list.outputs.length === 0 ? (
        <p className="text-sm text-ink-muted">The files of this edit were deleted.</p>
      ) : (
        <OutputList {...list} isOneColumn />
      )}
    </section>
  )
}
