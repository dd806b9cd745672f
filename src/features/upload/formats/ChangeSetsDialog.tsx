import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ApiFailure } from '#src/api/errors.ts'
import { SendButton } from '#src/components/help/SendButton.tsx'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { useDeleteEditSet, useSaveEditSet, type EditSet } from './use-edit-sets.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { TextField } from '#src/ui/TextField.tsx'
import { SET_NAME_MAX_CHARACTERS } from './SaveSet.tsx'

interface ChangeSetsDialogProps {
  readonly sets: readonly EditSet[]
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** The saved sets, to be renamed and deleted. */
export function ChangeSetsDialog({ sets, isOpen, onClose }: ChangeSetsDialogProps) {
  return (
    <Dialog
      title="Your sets of edits"
      isOpen={isOpen}
      onClose={onClose}
      footer={<Button onPress={onClose}>Done</Button>}
    >
      {sets.length === 0 ? <p>No sets are left.</p> : null}
      <ul className="flex flex-col gap-5 pt-1">
        {sets.map((set) => (
          <li key={set._id}>
            <SetRow set={set} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

/** A set with the field of its name, which is saved by its button. */
function SetRow({ set }: { readonly set: EditSet }) {
  const [typed, setTyped] = useState(set.name)
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const save = useSaveEditSet()
  const remove = useDeleteEditSet()
  const name = typed.trim()
  const settle = (done: { readonly ok: boolean; readonly error?: ApiFailure }) =>
    setFailure(done.ok ? null : (done.error ?? null))
  const rename = async () => {
    if (name !== '' && name !== set.name)
      settle(await save.mutateAsync({ id: set._id, name, requests: set.mediaJobTaskRequests }))
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void rename()
      }}
    >
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label={`Name of "${set.name}"`}
            value={typed}
            onChange={setTyped}
            maxLength={SET_NAME_MAX_CHARACTERS}
            autoComplete="off"
            error={name === '' ? 'Type a name.' : null}
          />
        </div>
        {name === set.name || name === '' ? null : (
          <SendButton
            sends="PUT /v1/edit-sets/{id}"
            type="submit"
            variant="secondary"
            isBusy={save.isPending}
          >
            Rename
          </SendButton>
        )}
        <IconButton
          label={`Delete "${set.name}"`}
          icon={<Trash2 aria-hidden />}
          onPress={() => void remove.mutateAsync(set._id).then(settle)}
        />
      </div>
      {failure === null ? null : (
        <Notice kind="error" isLive className="mt-2" title="The set was not changed">
          {serverProblemCopy(failure).title}
        </Notice>
      )}
    </form>
  )
}
