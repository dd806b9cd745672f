import { useState } from 'react'
import type { ApiFailure } from '#src/api/errors.ts'
import { useNotYet } from '#src/components/help/use-not-yet.ts'
import { HelpLink } from '#src/components/help/HelpLink.tsx'
import { ProblemNotice } from '#src/components/help/ProblemNotice.tsx'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { useImportFile } from './use-import-file.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { DialogForm } from '#src/ui/DialogForm.tsx'
import { classNames } from '#src/ui/class-names.ts'
import { hintLook } from '#src/ui/field-look.ts'
import { TextField } from '#src/ui/TextField.tsx'
import { linkFault } from './link-fault.ts'
import { linkIn } from './link-in.ts'

export interface LinkDialogProps {
  /** The import that goes on with the link, or null for a new one. */
  readonly renews: string | null
  /** Hosts that this server takes, with all names below them. */
  readonly hosts: readonly string[]
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onBegun: (uploadRequestId: string) => void
}

/** Takes a link from which the server fetches a video. */
export function LinkDialog(props: LinkDialogProps) {
  const { renews, isOpen, onClose } = props
  return (
    <Dialog
      title={renews === null ? 'Paste a link' : 'Paste the link again'}
      isOpen={isOpen}
      onClose={onClose}
    >
      {isOpen ? <LinkForm {...props} /> : null}
    </Dialog>
  )
}

function LinkForm({ renews, hosts, onClose, onBegun }: LinkDialogProps) {
  const notYet = useNotYet(
    renews === null ? 'POST /v2/upload-requests' : 'POST /v1/upload-requests/{id}/import',
  )
  const { typed, type, readAs, fault, problem, isBusy, submit } = useImporting({
    renews,
    hosts,
    onBegun,
  })
  return (
    <DialogForm
      submitWords={renews === null ? 'Import' : 'Go on'}
      isBusy={isBusy}
      notYet={notYet}
      onSubmit={() => void submit()}
      onCancel={onClose}
    >
      <TextField
        label="Link to your video"
        type="url"
        value={typed}
        onChange={type}
        autoComplete="off"
        autoFocus
        hint={
          renews === null
            ? `A link of ${hosts.join(' or ')} that anyone who has it can download. The server fetches the video, so this device can be switched off.`
            : 'A new link to the same video. What has arrived is kept, and the import goes on from there.'
        }
        error={fault}
      />
      <p aria-live="polite" className={classNames('-mt-2 wrap-anywhere', hintLook)}>
        {readAs === null ? null : `Read as ${readAs}`}
      </p>
      <ProblemNotice problem={problem} />
      <HelpLink slug="links" />
    </DialogForm>
  )
}

/** The link that is typed, what is wrong with it, and its import. */
function useImporting({
  renews,
  hosts,
  onBegun,
}: Pick<LinkDialogProps, 'renews' | 'hosts' | 'onBegun'>) {
  const [typed, setTyped] = useState('')
  const [isAsked, setAsked] = useState(false)
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const call = useImportFile(renews)
  const read = linkIn(typed, hosts)
  const link = read.kind === 'one' ? read.link : typed.trim()
  const fault = linkFault(typed, hosts)
  return {
    typed,
    readAs: link === typed.trim() ? null : link,
    type: (text: string) => {
      setTyped(text)
      setFailure(null)
    },
    fault: isAsked ? fault : null,
    problem: failure === null ? null : serverProblemCopy(failure),
    isBusy: call.isPending,
    submit: async () => {
      setAsked(true)
      if (fault !== null) return
      const begun = await call.mutateAsync({ provider: 'link', link })
      if (begun.ok) onBegun(begun.value.uploadRequestId)
      else setFailure(begun.error)
    },
  }
}
