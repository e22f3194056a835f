// Printed from openapi.yaml (eb8eb1c8b29a79c0) by npm run generate. Not for editing.

export const contract = {
  "hash": "eb8eb1c8b29a79c0",
  "basePath": "/v1",
  "operations": {
    "listPets": {
      "method": "get",
      "path": "/pets",
      "paged": true,
      "replies": {
        "200": {
          "$ref": "#/components/schemas/Pets"
        },
        "400": null,
        "401": null,
        "408": null,
        "429": null,
        "431": null,
        "500": null,
        "503": null
      }
    },
    "createPet": {
      "method": "post",
      "path": "/pets",
      "paged": false,
      "replies": {
        "201": {
          "$ref": "#/components/schemas/Pet"
        },
        "400": null,
        "401": null,
        "408": null,
        "413": null,
        "415": null,
        "429": null,
        "431": null,
        "500": null,
        "503": null
      }
    },
    "getPet": {
      "method": "get",
      "path": "/pets/{petId}",
      "paged": false,
      "replies": {
        "200": {
          "$ref": "#/components/schemas/Pet"
        },
        "400": null,
        "401": null,
        "404": null,
        "408": null,
        "410": null,
        "429": null,
        "431": null,
        "500": null,
        "503": null
      }
    }
  },
  "schemas": {
    "#/components/schemas/Pets": {
      "items": {
        "$ref": "#/components/schemas/Pet"
      }
    },
    "#/components/schemas/Pet": {
      "properties": {
        "id": {
          "format": "int64"
        },
        "categoryId": {
          "format": "int64"
        }
      }
    }
  }
};
