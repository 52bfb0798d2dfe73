// SHA-256 by FIPS 180-4. What the blocks before the number give is computed once, so that a try is one block.
const K = new Int32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
])
const W = new Int32Array(64)
// The state after the block of 16 words from here on.
const compress = (before, words, from, after) => {
  for (let i = 0; i < 16; i++) W[i] = words[from + i]
  for (let i = 16; i < 64; i++) {
    const x = W[i - 15], y = W[i - 2]
    W[i] = (W[i - 16] + ((x >>> 7 | x << 25) ^ (x >>> 18 | x << 14) ^ x >>> 3) + W[i - 7]
      + ((y >>> 17 | y << 15) ^ (y >>> 19 | y << 13) ^ y >>> 10)) | 0
  }
  let a = before[0], b = before[1], c = before[2], d = before[3]
  let e = before[4], f = before[5], g = before[6], h = before[7]
  for (let i = 0; i < 64; i++) {
    const one = (h + ((e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7)) + (e & f ^ ~e & g) + K[i] + W[i]) | 0
    const two = (((a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10)) + (a & b ^ a & c ^ b & c)) | 0
    h = g; g = f; f = e; e = (d + one) | 0; d = c; c = b; b = a; a = (one + two) | 0
  }
  after[0] = (before[0] + a) | 0; after[1] = (before[1] + b) | 0; after[2] = (before[2] + c) | 0; after[3] = (before[3] + d) | 0
  after[4] = (before[4] + e) | 0; after[5] = (before[5] + f) | 0; after[6] = (before[6] + g) | 0; after[7] = (before[7] + h) | 0
}
const put = (words, index, byte) => {
  const shift = 24 - 8 * (index & 3)
  words[index >> 2] = words[index >> 2] & ~(255 << shift) | byte << shift
}

onmessage = ({ data: { salt, challenge, maxnumber, start, step } }) => {
  const target = new Int32Array(8).map((_, i) => parseInt(challenge.slice(8 * i, 8 * i + 8), 16))
  let state = new Int32Array([
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
  ])
  const whole = salt.length - salt.length % 64, rest = salt.length - whole
  for (let from = 0; from < whole; from += 64) {
    const block = new Int32Array(16)
    for (let i = 0; i < 64; i++) put(block, i, salt.charCodeAt(from + i))
    const next = new Int32Array(8)
    compress(state, block, 0, next)
    state = next
  }
  const words = new Int32Array(32), first = new Int32Array(8), last = new Int32Array(8)
  let digits, isLong
  // What is behind the whole blocks: the rest of the salt, the digits, a bit, zeros, and the length in bits.
  const lay = number => {
    digits = [...String(number)].map(Number)
    words.fill(0)
    for (let i = 0; i < rest; i++) put(words, i, salt.charCodeAt(whole + i))
    digits.forEach((digit, i) => put(words, rest + i, 48 + digit))
    const end = rest + digits.length
    put(words, end, 128)
    isLong = end + 9 > 64
    words[isLong ? 31 : 15] = 8 * (whole + end)
  }
  lay(start)
  for (let number = start; number <= maxnumber; number += step) {
    compress(state, words, 0, first)
    if (isLong) compress(first, words, 16, last)
    const found = isLong ? last : first
    if (found[0] === target[0] && found.every((word, i) => word === target[i])) return postMessage(number)
    let carry = step
    for (let i = digits.length - 1; carry && i >= 0; i--) {
      const sum = digits[i] + carry
      digits[i] = sum % 10
      carry = (sum - digits[i]) / 10
      put(words, rest + i, 48 + digits[i])
    }
    if (carry) lay(number + step)
  }
}
