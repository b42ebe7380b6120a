// Prism writes what it has found into a header as it is, and ends at the first letter that no header can hold.
const { ServerResponse } = require('node:http');

const { setHeader } = ServerResponse.prototype;
ServerResponse.prototype.setHeader = function (name, value) {
  const text = name === 'sl-violations' ? value.replace(/[^\x20-\x7e]/g, '?') : value;
  return setHeader.call(this, name, text);
};
