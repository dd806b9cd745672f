import { useState } from 'react'
import { Dialog } from '#src/ui/Dialog.tsx'
import { DialogForm } from '#src/ui/DialogForm.tsx'
import { TextField } from '#src/ui/TextField.tsx'

/** The contract's limit of a name. */
const NAME_MAX_CHARACTERS = 200

interface RenameDialogProps {
  readonly isOpen: boolean
  readonly name: string
  readonly onRename: (name: string) => void
  readonly onClose: () => void
}

/** Asks for another name of a video. */
export function RenameDialog({ isOpen, onClose, ...form }: RenameDialogProps) {
  return (
    <Dialog title="Rename this video" isOpen={isOpen} onClose={onClose}>
      {isOpen ? <RenameForm {...form} onClose={onClose} /> : null}
    </Dialog>
  )
}

function RenameForm({ name, onRename, onClose }: Omit<RenameDialogProps, 'isOpen'>) {
  const [typed, setTyped] = useState(name)
  const [isAsked, setAsked] = useState(false)
  const next = typed.trim()
  return (
    <DialogForm
      submitWords="Rename"
      onSubmit={() => {
        if (next === '') setAsked(true)
        else if (next === name) onClose()
        else onRename(next)
      }}
      onCancel={onClose}
    >
      <TextField
        label="Name"
        value={typed}
        onChange={setTyped}
        maxLength={NAME_MAX_CHARACTERS}
        autoComplete="off"
        autoFocus
        hint="All edits of this video get the name. Finished files keep theirs."
        error={isAsked && next === '' ? 'Type a name.' : null}
      />
    </DialogForm>
  )
}
