import { useState, type ReactNode } from 'react'
import { HelpLink } from './HelpLink.tsx'
import type { HelpSlug } from '#src/config/help-pages.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'

export interface NotConfiguredProps {
  readonly label: string
  /** The cloud, as people call it. */
  readonly cloud: string
  /** What can be done instead, in a few words; the rest stands in `children`. */
  readonly instead?: string
  /** What a person can do instead, and who can change it. */
  readonly children: ReactNode
  readonly help: HelpSlug
}

/** In the place of a way to a cloud that this server is not set up for; explains itself. */
export function NotConfigured({ label, cloud, instead, children, help }: NotConfiguredProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <span className="inline-flex flex-col items-center gap-1">
      <Button variant="secondary" onPress={() => setOpen(true)}>
        {label}
      </Button>
      {/* Narrow enough on a phone for two of them side by side. */}
      <span className="text-center text-sm text-ink-muted max-sm:max-w-36">
        {['Not available here.', instead].filter(Boolean).join(' ')}
      </span>
      <Dialog
        title={`${cloud} is not available here`}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <p>{children}</p>
        <HelpLink slug={help} />
      </Dialog>
    </span>
  )
}
