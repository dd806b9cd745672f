import { Link } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { LinkDialog } from '#src/components/imports/LinkDialog.tsx'
import { paths } from '#src/config/paths.ts'
import { useCapabilities } from '#src/hooks/use-capabilities.ts'
import { Button } from '#src/ui/Button.tsx'

/**
 * The way to have the server fetch a video from a link. Draws nothing where this server takes no
 * links; its place is kept until that is known.
 */
export function PasteLink() {
  const capabilities = useCapabilities()
  const navigate = useNavigate()
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
      <LinkDialog
        renews={null}
        hosts={hosts}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onBegun={(id) => void navigate(paths.newMediaJob(id))}
      />
    </div>
  )
}
