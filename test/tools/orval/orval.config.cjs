module.exports = {
  shop: {
    input: { target: process.env.DOCUMENT },
    output: { target: './shop.ts', client: 'fetch', baseUrl: process.env.SERVICE_URL },
  },
};
