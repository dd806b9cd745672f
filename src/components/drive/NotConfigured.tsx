import { useState } from 'react'
import { HelpLink } from '#src/components/HelpLink.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'

const WORDS = 'Not configured on this server'

/** In the place of a way to a drive that this server is not set up for; explains itself. */
export function NotConfigured({
  label,
  instead = 'You can upload the video from this device, or paste a link to it.',
}: {
  readonly label: string
  /** What a person can do instead, as a sentence. */
  readonly instead?: string
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <span className="inline-flex flex-col items-center gap-1">
      <Button variant="secondary" onPress={() => setOpen(true)}>
        {label}
      </Button>
      <span className="text-sm text-ink-muted">{WORDS}</span>
      <Dialog title={WORDS} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>Google Drive needs keys from Google, which this server does not have. {instead}</p>
        <HelpLink slug="drive" />
      </Dialog>
    </span>
  )
}
