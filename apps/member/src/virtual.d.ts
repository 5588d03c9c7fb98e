import "@fairtick/i18n/virtual";
