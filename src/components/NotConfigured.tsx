import { useState, type ReactNode } from 'react'
import { HelpLink } from '#src/components/HelpLink.tsx'
import type { HelpSlug } from '#src/config/help-pages.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'

const WORDS = 'Not configured on this server'

export interface NotConfiguredProps {
  readonly label: string
  /** What the server lacks, and what a person can do instead. */
  readonly children: ReactNode
  readonly help: HelpSlug
}

/** In the place of a way to a cloud that this server is not set up for; explains itself. */
export function NotConfigured({ label, children, help }: NotConfiguredProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <span className="inline-flex flex-col items-center gap-1">
      <Button variant="secondary" onPress={() => setOpen(true)}>
        {label}
      </Button>
      {/* Narrow enough on a phone for two of them side by side. */}
      <span className="text-center text-sm text-ink-muted max-sm:max-w-36">{WORDS}</span>
      <Dialog title={WORDS} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>{children}</p>
        <HelpLink slug={help} />
      </Dialog>
    </span>
  )
}
