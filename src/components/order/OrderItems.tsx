import type { ReactNode } from 'react'
import type { ImmersiveKind } from '#checks/immersive.ts'
import { immersiveIn } from '#checks/quick-rules.ts'
import { flatWords } from './immersive-words.ts'
import { Amount } from '#src/components/tokens/Amount.tsx'
import { tokens, usageWords } from '#src/components/tokens/token-words.ts'
import { optionsWords } from '#src/components/options/forms.tsx'
import type { MediaJob } from '#src/hooks/edits/use-library.ts'
import type { Order } from '#src/hooks/orders/use-order.ts'
import { useUploadByRequestId } from '#src/hooks/uploads/use-upload.ts'
import type { Preset } from '#src/hooks/edits/use-presets.ts'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { CancelOrder } from './CancelOrder.tsx'

export interface OrderItemsProps {
  readonly order: Order
  /** Which video they are made from; left out where the screen says so already. */
  readonly video?: ReactNode
  readonly presets: readonly Preset[]
  /** With the options of the requested edits; null while it is not known. */
  readonly job: Pick<
    MediaJob,
    'mediaJobTaskRequests' | 'videoDuration' | 'videoImmersive' | 'uploadRequestId'
  > | null
  /** Leads back to the formats (JOB-03), once that is known; null where the choice is final. */
  readonly onChange: (() => void) | 'reading' | null
  /** Leaves out the pictures, for narrow places. */
  readonly isCompact?: boolean
}

/**
 * What is ordered, each edit with its options and price, what remains payable, and the way back
 * until something is paid.
 */
export function OrderItems({
  order,
  video,
  presets,
  job,
  onChange,
  isCompact = false,
}: OrderItemsProps) {
  const immersive = useImmersive(job)
  return (
    <Card as="section" labelledBy="order-items">
      <h2 id="order-items" className="text-lg font-semibold">
        Your order
      </h2>
      {video}
      <ul className="mt-4 divide-y divide-line">
        {order.lineItems.map((item) => {
          const slug = item.orderedProductVariant.mediaJobTaskPresetSlug
          return (
            <li
              key={item._id}
              className="flex flex-wrap items-center justify-between gap-x-4 py-3 first:pt-0"
            >
              {isCompact ? null : (
                <PresetPicture preset={presets.find((preset) => preset.slug === slug)} />
              )}
              <span className="min-w-0 flex-1 basis-28">
                <span className="block leading-snug font-medium">
                  {item.orderedProductVariant.description}
                </span>
                <Options job={job} slug={slug} />
                <Flat words={flatWords(slug ?? '', immersive)} />
                <Usage pricing={item.pricing} />
                <Discount pricing={item.pricing} />
              </span>
              <Amount coinAmount={item.totalCoinAmount} />
            </li>
          )
        })}
      </ul>
      <Sums order={order} />
      {onChange === null ? null : <ChangeEdits order={order} onChange={onChange} />}
    </Card>
  )
}

/** As the server found it; before the video is there, as this device did. */
function useImmersive(job: OrderItemsProps['job']): ImmersiveKind | null {
  const row = useUploadByRequestId(job?.uploadRequestId ?? null)
  return job?.videoImmersive ?? immersiveIn(row?.probe?.findings ?? [])
}

function Flat({ words }: { readonly words: string | null }) {
  return words === null ? null : <span className="block text-sm font-medium">{words}</span>
}

function Usage({ pricing }: { readonly pricing: Order['lineItems'][number]['pricing'] }) {
  const { usage, pricingStrategy } = pricing
  return usage === null || pricingStrategy.pricingStrategySlug !== 'usage-based' ? null : (
    <span className="block text-sm text-ink-muted">{`${usageWords(usage, pricingStrategy.usageUnit)} at ${tokens(pricingStrategy.coinAmountPerUsageUnit)}`}</span>
  )
}

/** Why an item costs less than its format. */
function Discount({ pricing }: { readonly pricing: Order['lineItems'][number]['pricing'] }) {
  const { discountPercent = 0 } = pricing
  return discountPercent === 0 ? null : (
    <span className="block text-sm text-good">{`Made again, ${discountPercent}% off`}</span>
  )
}

function Sums({ order }: { readonly order: Order }) {
  const paid = Math.abs(order.paidTotalCoinAmount)
  return (
    <dl className="mt-2 flex flex-col gap-2 border-t border-line pt-4">
      <Sum label="Subtotal" amount={order.lineItemsTotalCoinAmount} />
      {paid > 0 ? <Sum label="Paid" amount={-paid} /> : null}
      {order.refundedTotalCoinAmount > 0 ? (
        <Sum label="Refunded" amount={order.refundedTotalCoinAmount} />
      ) : null}
      {order.isFullyPaid ? null : (
        <Sum label="To pay" amount={order.remainingPayableCoinAmount} isStrong />
      )}
    </dl>
  )
}

/** The way back to the formats; once something is paid, only by cancelling the order. */
function ChangeEdits({
  order,
  onChange,
}: {
  readonly order: Order
  readonly onChange: (() => void) | 'reading'
}) {
  const isFixed = order.hasPaidWalletCoinTransactions
  const isReading = onChange === 'reading'
  return (
    <div className="mt-6">
      <Button
        variant="secondary"
        {...(isReading ? {} : { onPress: onChange })}
        isDisabled={isFixed || isReading}
        {...(isFixed ? { describedBy: 'edits-fixed' } : {})}
        className="w-full sm:w-auto"
      >
        Change Requested Edits
      </Button>
      {isFixed && !isReading ? (
        <div id="edits-fixed" className="mt-4">
          <CancelOrder order={order} onCancelled={onChange} />
        </div>
      ) : null}
    </div>
  )
}

function PresetPicture({ preset }: { readonly preset: Preset | undefined }) {
  return preset === undefined ? null : (
    <img
      src={preset.imageUrl}
      alt=""
      width={80}
      height={45}
      className="hidden aspect-video w-20 shrink-0 rounded-lg bg-surface-sunken object-cover sm:block"
    />
  )
}

function Options({ job, slug }: Pick<OrderItemsProps, 'job'> & { readonly slug: string | null }) {
  const request = job?.mediaJobTaskRequests.find(
    ({ mediaJobTaskPresetSlug }) => mediaJobTaskPresetSlug === slug,
  )
  const words = request === undefined ? null : optionsWords(request, job?.videoDuration ?? null)
  return words === null ? null : (
    <span className="block text-sm wrap-anywhere text-ink-muted">{words}</span>
  )
}

function Sum({
  label,
  amount,
  isStrong = false,
}: {
  readonly label: string
  readonly amount: number
  readonly isStrong?: boolean
}) {
  return (
    <div
      className={`flex flex-wrap justify-between gap-x-4 ${isStrong ? 'text-lg font-bold' : 'text-ink-muted'}`}
    >
      <dt>{label}</dt>
      <dd>
        <Amount coinAmount={amount} />
      </dd>
    </div>
  )
}
