import { BookmarkPlus } from 'lucide-react'
import { useState } from 'react'
import type { ApiFailure } from '#src/api/errors.ts'
import { useNotYet } from '#src/components/help/use-not-yet.ts'
import { ProblemNotice } from '#src/components/help/ProblemNotice.tsx'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { useEditSets, useSaveEditSet } from './use-edit-sets.ts'
import { useLocal } from '#src/hooks/device/local-context.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { DialogForm } from '#src/ui/DialogForm.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { TextField } from '#src/ui/TextField.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'

/** The contract's limit of a set's name. */
export const SET_NAME_MAX_CHARACTERS = 40

/** Saves what is chosen under a name. Draws nothing while nothing is chosen. */
export function SaveSet({ requests }: { readonly requests: readonly TaskRequest[] }) {
  const [isOpen, setOpen] = useState(false)
  const toasts = useToasts()
  if (requests.length === 0) return null
  const onSaved = (name: string) => {
    setOpen(false)
    toasts.show('success', `"${name}" is saved. It stands above the formats of your next video.`)
  }
  return (
    <>
      <Button variant="quiet" size="small" className="-ml-3" onPress={() => setOpen(true)}>
        <BookmarkPlus aria-hidden className="size-4" />
        Save as a set
      </Button>
      <Dialog title="Save as a set" isOpen={isOpen} onClose={() => setOpen(false)}>
        {isOpen ? (
          <SaveForm requests={requests} onSaved={onSaved} onClose={() => setOpen(false)} />
        ) : null}
      </Dialog>
    </>
  )
}

function SaveForm({
  requests,
  onSaved,
  onClose,
}: {
  readonly requests: readonly TaskRequest[]
  readonly onSaved: (name: string) => void
  readonly onClose: () => void
}) {
  const [typed, setTyped] = useState('')
  const [isAsked, setAsked] = useState(false)
  const name = typed.trim()
  const notYet = useNotYet('PUT /v1/edit-sets/{id}')
  const { same, isPending, problem, save } = useSaving(name)
  const submit = async () => {
    setAsked(true)
    if (name !== '' && (await save(requests))) onSaved(name)
  }
  return (
    <DialogForm
      submitWords={same === undefined ? 'Save' : 'Replace'}
      isBusy={isPending}
      notYet={notYet}
      onSubmit={() => void submit()}
      onCancel={onClose}
    >
      <TextField
        label="Name"
        value={typed}
        onChange={setTyped}
        maxLength={SET_NAME_MAX_CHARACTERS}
        autoComplete="off"
        autoFocus
        hint="The edits and their options are kept, such as your watermark. You choose them with one press for any video."
        error={isAsked && name === '' ? 'Type a name.' : null}
      />
      {same === undefined ? null : (
        <Notice kind="warning">{`You have a set "${same.name}". Saving replaces its edits.`}</Notice>
      )}
      <ProblemNotice problem={problem} />
    </DialogForm>
  )
}

/** Saves under a name: as a new set, or in place of the one that has the name. */
function useSaving(name: string) {
  const { ids } = useLocal()
  // Made once, so that a save whose answer was lost is the same set when it is repeated.
  const [newId] = useState(() => ids.uuid())
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const sets = useEditSets().data ?? []
  const call = useSaveEditSet()
  const same = sets.find((set) => set.name.toLowerCase() === name.toLowerCase())
  return {
    same,
    isPending: call.isPending,
    problem: failure === null ? null : serverProblemCopy(failure),
    save: async (requests: readonly TaskRequest[]) => {
      const saved = await call.mutateAsync({ id: same?._id ?? newId, name, requests })
      setFailure(saved.ok ? null : saved.error)
      return saved.ok
    },
  }
}
