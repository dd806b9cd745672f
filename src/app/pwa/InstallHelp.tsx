import { Share, SquarePlus } from 'lucide-react'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'

/** How to install on iOS, where apps cannot ask for it. */
export function InstallHelp({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
}) {
  return (
    <Dialog
      title="Install Onecut"
      isOpen={isOpen}
      onClose={onClose}
      footer={<Button onPress={onClose}>Got it</Button>}
    >
      <ol className="grid gap-4 text-ink">
        <li className="flex items-center gap-3">
          <Share aria-hidden className="size-6 shrink-0 text-accent" />
          Open the share menu in your browser.
        </li>
        <li className="flex items-center gap-3">
          <SquarePlus aria-hidden className="size-6 shrink-0 text-accent" />
          Choose &ldquo;Add to Home Screen&rdquo;.
        </li>
      </ol>
    </Dialog>
  )
}
