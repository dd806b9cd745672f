/** Dedicated worker that reads videos on this device: what they are, and pictures of them. */
import { expose } from 'comlink'
import { createMediaHost } from './media-host.ts'

/** Gigabytes; Chromium only. Elsewhere unknown, except on iOS, where pages die early. */
const deviceMemory =
  'deviceMemory' in navigator && typeof navigator.deviceMemory === 'number'
    ? navigator.deviceMemory
    : null
const isIos = /iPhone|iPad|iPod/.test(navigator.userAgent)

const isBelow = (gigabytes: number): boolean => deviceMemory !== null && deviceMemory < gigabytes

expose(
  createMediaHost({
    isSmall: isIos || (deviceMemory !== null && deviceMemory <= 2),
    // Pages of iOS are ended when they take much, and an edit of full HD takes 400 MB.
    memory: isBelow(1) ? 'little' : isIos || isBelow(4) ? 'small' : 'full',
  }),
)
