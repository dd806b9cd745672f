import { Link } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { ApiFailure } from '#src/api/errors.ts'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { HelpLink } from '#src/components/HelpLink.tsx'
import { paths } from '#src/config/paths.ts'
import { useCapabilities } from '#src/hooks/use-capabilities.ts'
import { useImportLink } from '#src/hooks/use-import-link.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { TextField } from '#src/ui/TextField.tsx'
import { linkFault } from './link-fault.ts'

/** The contract's limit of a link. */
const LINK_MAX_CHARACTERS = 4096

/**
 * The way to have the server fetch a video from a link. Draws nothing where this server takes no
 * links; its place is kept until that is known.
 */
export function PasteLink() {
  const capabilities = useCapabilities()
  const [isOpen, setOpen] = useState(false)
  const hosts = capabilities.data?.uploads.importHosts ?? []
  if (capabilities.data !== null && hosts.length === 0) return null
  return (
    <div className="mt-3 flex min-h-11 justify-center">
      {hosts.length === 0 ? null : (
        <Button variant="secondary" onPress={() => setOpen(true)}>
          <Link aria-hidden className="size-4" />
          Paste a link
        </Button>
      )}
      <Dialog title="Paste a link" isOpen={isOpen} onClose={() => setOpen(false)}>
        {isOpen ? <LinkForm hosts={hosts} onClose={() => setOpen(false)} /> : null}
      </Dialog>
    </div>
  )
}

function LinkForm({
  hosts,
  onClose,
}: {
  readonly hosts: readonly string[]
  readonly onClose: () => void
}) {
  const { typed, type, fault, problem, isBusy, submit } = useImporting(hosts)
  return (
    <form
      noValidate
      className="flex flex-col gap-5 pt-1"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <TextField
        label="Link to your video"
        type="url"
        value={typed}
        onChange={type}
        maxLength={LINK_MAX_CHARACTERS}
        autoComplete="off"
        autoFocus
        hint={`A link of ${hosts.join(' or ')} that anyone who has it can download. The server fetches the video, so this device can be switched off.`}
        error={fault}
      />
      {problem === null ? null : (
        <Notice kind="error" isLive title={problem.title}>
          {problem.body ?? undefined}
        </Notice>
      )}
      <HelpLink slug="links" />
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button variant="secondary" onPress={onClose}>
          Cancel
        </Button>
        <Button type="submit" isBusy={isBusy}>
          Import
        </Button>
      </div>
    </form>
  )
}

/** The link that is typed, what is wrong with it, and its import, which leads on. */
function useImporting(hosts: readonly string[]) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [isAsked, setAsked] = useState(false)
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const call = useImportLink()
  const fault = linkFault(typed.trim(), hosts)
  return {
    typed,
    type: (link: string) => {
      setTyped(link)
      setFailure(null)
    },
    fault: isAsked ? fault : null,
    problem: failure === null ? null : serverProblemCopy(failure),
    isBusy: call.isPending,
    submit: async () => {
      setAsked(true)
      if (fault !== null) return
      const begun = await call.mutateAsync(typed.trim())
      if (begun.ok) await navigate(paths.newMediaJob(begun.value.uploadRequestId))
      else setFailure(begun.error)
    },
  }
}
