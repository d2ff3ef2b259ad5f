// A photo in a size that is quick to send.
const LONGEST_SIDE = 1600;
const QUALITY = 0.8;

// Returns a photo as Base64 of a JPEG; one that this browser cannot draw is sent as it is.
export async function shrink(file) {
  try {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    return canvas.toDataURL("image/jpeg", QUALITY).split(",")[1];
  } catch {
    return encode(new Uint8Array(await file.arrayBuffer()));
  }
}

function encode(bytes) {
  let text = "";
  for (let start = 0; start < bytes.length; start += 8192) text += String.fromCharCode(...bytes.subarray(start, start + 8192));
  return btoa(text);
}
