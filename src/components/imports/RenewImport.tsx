import { useState } from 'react'
import { useCapabilities } from '#src/hooks/use-capabilities.ts'
import { Button } from '#src/ui/Button.tsx'
import { LinkDialog } from './LinkDialog.tsx'

/** Lets a person say again where the video of an import is, which then goes on. */
export function RenewImport({ uploadRequestId }: { readonly uploadRequestId: string }) {
  const hosts = useCapabilities().data?.uploads.importHosts ?? []
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="small" className="self-start" onPress={() => setOpen(true)}>
        Paste the link again
      </Button>
      <LinkDialog
        renews={uploadRequestId}
        hosts={hosts}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onBegun={() => setOpen(false)}
      />
    </>
  )
}
