import { Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#src/ui/Button.tsx'

export interface CopyButtonProps {
  /** What the button says before anything is copied. */
  readonly label: string
  /** Made when the button is pressed. */
  readonly text: () => string
}

/** Copies a text and then says so. */
export function CopyButton({ label, text }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = () =>
    void navigator.clipboard.writeText(text()).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <Button variant="secondary" onPress={copy}>
      <Copy aria-hidden className="size-4.5" />
      {isCopied ? 'Copied' : label}
    </Button>
  )
}
