import { BookmarkCheck, History, Pencil, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { useEditSets, type EditSet } from './use-edit-sets.ts'
import type { EditsAgain } from '#src/local/edits/again.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { Button } from '#src/ui/Button.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'
import { ChangeSetsDialog } from './ChangeSetsDialog.tsx'
import type { fitRequests, LeftOut } from './fit-requests.ts'
import type { SelectionEvent } from './selection.ts'

interface EditSetsProps {
  readonly again: Pick<EditsAgain, 'last' | 'same'>
  readonly chosen: readonly TaskRequest[]
  /** What of a set this video can have. */
  readonly fit: (requests: readonly TaskRequest[]) => ReturnType<typeof fitRequests>
  readonly onEvent: (event: SelectionEvent) => void
}

/** Sets of edits to choose with one press: what was ordered last, and what the user saved. */
export function EditSets({ again, chosen, fit, onEvent }: EditSetsProps) {
  const sets = useEditSets()
  const toasts = useToasts()
  const [applied, setApplied] = useState<Applied | null>(null)
  const [isChanging, setChanging] = useState(false)
  const saved = sets.data ?? []
  const apply = (name: string, requests: readonly TaskRequest[]) => {
    const { requests: fitting, leftOut } = fit(requests)
    onEvent({ kind: 'replace', requests: fitting })
    setApplied({ name, count: fitting.length, leftOut })
    if (chosen.length > 0)
      toasts.show('default', `"${name}" took the place of what you had chosen.`, {
        label: 'Undo',
        onPress: () => {
          onEvent({ kind: 'replace', requests: chosen })
          setApplied(null)
        },
      })
  }
  // An open dialog stays when its last set is deleted.
  if (saved.length + again.last.length + again.same.length === 0 && !isChanging)
    return <PullFailure pull={sets} title="Unable to fetch your sets of edits" className="mb-4" />
  return (
    <div className="mb-4">
      <div role="group" aria-label="Sets of edits" className="flex flex-wrap items-center gap-2">
        <OrderedBefore again={again} onApply={apply} />
        {saved.map((set) => (
          <Button
            key={set._id}
            variant="secondary"
            size="small"
            onPress={() => apply(set.name, set.mediaJobTaskRequests)}
          >
            <BookmarkCheck aria-hidden className="size-4" />
            {`${set.name} · ${editsWords(set.mediaJobTaskRequests)}`}
          </Button>
        ))}
        {saved.length === 0 ? null : (
          <Button variant="quiet" size="small" onPress={() => setChanging(true)}>
            <Pencil aria-hidden className="size-4" />
            Change sets
          </Button>
        )}
      </div>
      <WhatFits applied={applied} />
      <ChangeSetsDialog sets={saved} isOpen={isChanging} onClose={() => setChanging(false)} />
    </div>
  )
}

/** What was ordered last, for this video and for another one. */
function OrderedBefore({
  again: { last, same },
  onApply,
}: Pick<EditSetsProps, 'again'> & {
  readonly onApply: (name: string, requests: readonly TaskRequest[]) => void
}) {
  return (
    <>
      {same.length === 0 ? null : (
        <Button variant="secondary" size="small" onPress={() => onApply('Order again', same)}>
          <RotateCw aria-hidden className="size-4" />
          {`Order again · ${editsWords(same)}`}
        </Button>
      )}
      {last.length === 0 ? null : (
        <Button variant="secondary" size="small" onPress={() => onApply('Last time', last)}>
          <History aria-hidden className="size-4" />
          {`Last time · ${editsWords(last)}`}
        </Button>
      )}
    </>
  )
}

interface Applied {
  readonly name: string
  readonly count: number
  readonly leftOut: readonly LeftOut[]
}

/** Which edits of the set that was pressed this video cannot have, before the price is read. */
function WhatFits({ applied }: { readonly applied: Applied | null }) {
  if (applied === null || applied.leftOut.length === 0) return null
  const { name, count, leftOut } = applied
  return (
    <div
      // The bar at the foot of the screen would cover it on a phone.
      ref={(element) => element?.scrollIntoView({ block: 'center' })}
      className="mt-3"
    >
      <Notice
        kind="warning"
        isLive
        title={`${count} of ${count + leftOut.length} edits of "${name}" were chosen`}
      >
        <ul className="mt-1 list-disc pl-5">
          {leftOut.map((each) => (
            <li key={each.name}>{`${each.name}: ${each.why}`}</li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}

/** '1 edit', '6 edits'. */
function editsWords(requests: EditSet['mediaJobTaskRequests'] | readonly TaskRequest[]) {
  return `${requests.length} ${requests.length === 1 ? 'edit' : 'edits'}`
}
