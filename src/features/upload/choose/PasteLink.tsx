import { Link } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { LinkDialog } from '#src/features/upload/imports/LinkDialog.tsx'
import { paths } from '#src/config/paths.ts'
import { useCapabilities } from '#src/hooks/server/use-capabilities.ts'
import { Button } from '#src/ui/Button.tsx'

/** The way to have the server fetch a video from a link; nothing where this server takes none. */
export function PasteLink() {
  const hosts = useCapabilities().data?.uploads.importHosts ?? []
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  if (hosts.length === 0) return null
  return (
    <>
      <Button variant="secondary" onPress={() => setOpen(true)}>
        <Link aria-hidden className="size-4" />
        Paste a link
      </Button>
      <LinkDialog
        renews={null}
        hosts={hosts}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onBegun={(id) => void navigate(paths.newMediaJob(id))}
      />
    </>
  )
}
