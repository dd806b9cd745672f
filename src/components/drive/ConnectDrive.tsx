import { useCapabilities } from '#src/hooks/use-capabilities.ts'
import { paths } from '#src/config/paths.ts'
import { LinkButton, type LinkButtonProps } from '#src/ui/LinkButton.tsx'
import { connectAddress } from './connect-address.ts'
import { NotConfigured } from './NotConfigured.tsx'

/** The way to Google and back to the integrations; says where this server has none. */
export function ConnectDrive({
  label,
  provider,
  ...look
}: Pick<LinkButtonProps, 'variant' | 'size'> & {
  readonly label: string
  readonly provider: string
}) {
  const capabilities = useCapabilities()
  const address = connectAddress(provider, paths.externalAuths)
  if (!address.ok) return <span className="text-sm text-bad">{address.error}</span>
  if (capabilities.data?.areas.externalAuths === false) return <NotConfigured label={label} />
  return (
    <LinkButton to={address.value} isDocument {...look}>
      {label}
    </LinkButton>
  )
}
