import { CopyButton } from '#src/ui/CopyButton.tsx'
import { supportReport } from './support-report.ts'
import { useKeptLines } from './use-kept-lines.ts'
import { SupportAddress } from '#src/components/help/SupportAddress.tsx'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'

export interface SupportDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** The way to support, with a report to copy: what the app logged on this device. */
export function SupportDialog({ isOpen, onClose }: SupportDialogProps) {
  const { clock } = useLocal()
  const lines = useKeptLines(isOpen)
  const report = () =>
    supportReport({
      path: window.location.pathname,
      browser: navigator.userAgent,
      at: new Date(clock.now()),
      lines,
    })
  return (
    <Dialog
      title="Contact support"
      isOpen={isOpen}
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" onPress={onClose}>
            Close
          </Button>
          <CopyButton variant="primary" label="Copy a report for support" text={report} />
        </>
      }
    >
      <p>
        If something does not work, copy a report. It lists what the app recently logged on this
        device, without your mail address or the names of your files.
      </p>
      <p className="mt-3">
        <SupportAddress before="Send it to" />
      </p>
    </Dialog>
  )
}
