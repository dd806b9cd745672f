import { useState } from 'react'
import { useSaveSelection } from '#src/hooks/edits/use-selection.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { useToasts } from '#src/ui/toasts-context.ts'
import { reduceSelection, type Selection, type SelectionEvent } from './selection.ts'

/** The selection of an upload; each change of it is saved on this device. */
export function useSavedSelection(
  uploadRequestId: string,
  initial: readonly TaskRequest[],
): readonly [Selection, (event: SelectionEvent) => void] {
  const save = useSaveSelection(uploadRequestId)
  const toasts = useToasts()
  const [selection, setSelection] = useState<Selection>({ requests: initial, optionsOf: null })
  const onEvent = (event: SelectionEvent) => {
    const next = reduceSelection(selection, event)
    setSelection(next)
    if (next.requests !== selection.requests)
      void save(next.requests).catch(() =>
        toasts.show('warning', 'This device could not save your choice.'),
      )
  }
  return [selection, onEvent]
}
