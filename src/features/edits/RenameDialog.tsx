import { useState } from 'react'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
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
    <form
      noValidate
      className="flex flex-col gap-5 pt-1"
      onSubmit={(event) => {
        event.preventDefault()
        if (next === '') setAsked(true)
        else if (next === name) onClose()
        else onRename(next)
      }}
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
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button variant="secondary" onPress={onClose}>
          Cancel
        </Button>
        <Button type="submit">Rename</Button>
      </div>
    </form>
  )
}
