import { Download } from 'lucide-react'
import { API_BASE } from '#src/config/paths.ts'
import { useOnline } from '#src/hooks/network/use-online.ts'
import { buttonLook } from '#src/ui/button-look.ts'

export interface ReceiptLinkProps {
  readonly of: 'payments' | 'orders'
  readonly id: string
  /** The number of the receipt; null where the device does not know it. */
  readonly number?: string | null
  /** Small in rows of several buttons. */
  readonly size?: 'small' | 'medium'
}

/** Downloads the receipt of a payment or of an order that tokens have paid, as PDF. */
export function ReceiptLink({ of, id, number = null, size = 'medium' }: ReceiptLinkProps) {
  const isOnline = useOnline()
  const words = (
    <>
      <Download aria-hidden className="size-4" />
      Receipt
      {number === null ? null : <span className="sr-only">{number}</span>}
    </>
  )
  return isOnline ? (
    <a
      href={`${API_BASE}/v1/${of}/${encodeURIComponent(id)}/receipt`}
      download
      className={buttonLook('secondary', size)}
    >
      {words}
    </a>
  ) : (
    <span aria-disabled className={buttonLook('secondary', size, 'cursor-not-allowed opacity-55')}>
      {words}
    </span>
  )
}
